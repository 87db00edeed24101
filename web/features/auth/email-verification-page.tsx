export function EmailVerificationPage() {
  return <h1>EmailVerificationPage</h1>
}
