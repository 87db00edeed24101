export function GoogleReturnPage() {
  return <h1>GoogleReturnPage</h1>
}
