/** What a person who is in no workspace reads, and what they can do. */
export const NO_WORKSPACE = {
  title: 'You are in no workspace',
  description: 'Create one in the menu at the top of the sidebar, or ask to be invited to one.',
}
