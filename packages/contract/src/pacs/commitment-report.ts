/** An object whose safe storage was asked for. */
export interface CommittedObject {
  sopClass: string;
  sopInstance: string;
}
/** The answer to a request for storage commitment (PS3.4 J.3.3). */
export interface CommitmentReport {
  transaction: string;
  kept: CommittedObject[];
  failed: (CommittedObject & { reason: number })[];
}
