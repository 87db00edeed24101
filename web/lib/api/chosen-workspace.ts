/** Which workspace this tab works in; null leaves the choice to the server. Ends with the session. */
const KEY = 'mailstead-workspace'

export const chosenWorkspace = {
  read: (): string | null =>
    typeof sessionStorage === 'undefined' ? null : sessionStorage.getItem(KEY),
  choose: (id: string): void => sessionStorage.setItem(KEY, id),
  forget: (): void => sessionStorage.removeItem(KEY),
}
