/** Counts how much of a shared resource parties (a user in a workspace) and networks have taken. */
export type Shares = { ofAll: number; ofNetwork: number; ofParty: number }
export type Owner = { party: string; network: string }

export class Ledger {
  private all = 0
  private readonly parties = new Map<string, number>()
  private readonly networks = new Map<string, number>()

  private readonly shares: Shares

  constructor(shares: Shares) {
    this.shares = shares
  }

  get taken(): number {
    return this.all
  }

  add({ party, network }: Owner, amount: number): void {
    this.all += amount
    addTo(this.parties, party, amount)
    addTo(this.networks, network, amount)
  }

  fits(owner: Owner, amount: number): boolean {
    return this.all + amount <= this.shares.ofAll && this.fitsShare(owner, amount)
  }

  /** Regardless of what others have taken. */
  fitsShare(owner: Owner, amount: number): boolean {
    const ofNetwork = this.networks.get(owner.network) ?? 0
    return this.fitsParty(owner, amount) && ofNetwork + amount <= this.shares.ofNetwork
  }

  fitsParty({ party }: Owner, amount: number): boolean {
    return (this.parties.get(party) ?? 0) + amount <= this.shares.ofParty
  }
}

const addTo = (counts: Map<string, number>, key: string, amount: number): void => {
  const count = (counts.get(key) ?? 0) + amount
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
