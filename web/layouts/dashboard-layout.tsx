import { Outlet } from 'react-router'

export function DashboardLayout() {
  return (
    <main>
      <Outlet />
    </main>
  )
}
