import { sql } from "kysely";
import type { AuditFault } from "@arcada/contract/operator/operator.calls";
import { isGenuine } from "./audit-anchors.ts";
import {
  readDatabaseAnchor,
  readEpochs,
  findEpochFault,
  genesisHash,
  sealedColumns,
  epochOf,
  fitsSeal,
} from "./audit-chain.ts";
import type { AuditChain, KeyEpoch, SealedRow } from "./audit-chain.ts";
import { fitsGap, genuineGaps, readGaps } from "./audit-gaps.ts";
import type { AuditGap } from "./audit-gaps.ts";
import type { ChainHead } from "./audit-key.ts";
import type { Database, Db } from "../database/database.ts";

export interface ChainVerdict {
  /** The number of rows, from the first on, that are intact or were dropped by retention. */
  rows: number;
  /** The number of the first row that is wrong or missing; null: everything is intact. */
  broken: number | null;
  fault: AuditFault | null;
  /** The contradicting anchor, if there is one. */
  anchor: (ChainHead & { at: string | null }) | null;
  /** The number of anchors with which the rows were compared. */
  compared: number;
  /** Rows without a seal: those of the last second, or all since Arcada stopped. */
  unsealed: { rows: number; since: string | null };
  /** Rows that had waited for longer than a minute when they were sealed. */
  late: { rows: number; first: number | null; last: number | null };
  /** The number of rows that retention has dropped, up to `rows`. */
  dropped: number;
  /** The number of rows that an earlier key sealed: only their order and the anchors vouch for them. */
  otherKey: number;
  accepted: { rows: number; at: string; reason: string }[];
}

interface VerifyOptions {
  /** Heads from e-mails or logs. */
  heads?: readonly ChainHead[];
  /** The number of rows that are read at once: few in a process that also serves requests. */
  atOnce?: number;
}

/** Compares every row with its seal and the seals with every known anchor. It changes nothing. */
export async function verifyAudit(
  database: Database,
  chain: AuditChain,
  { heads = [], atOnce: batchSize = 10_000 }: VerifyOptions = {},
): Promise<ChainVerdict> {
  // The file is read first: rows that are sealed meanwhile contradict no anchor.
  const inFile = await chain.file.known();
  return database.asSystem(async (db) => {
    const inDatabase = await readDatabaseAnchor(db);
    const epochs = await readEpochs(db);
    const anchors = [...inFile.anchors, ...(inDatabase ? [inDatabase] : [])];
    const witnesses = [...anchors, ...heads];
    const verdict: ChainVerdict = {
      rows: 0,
      broken: null,
      fault: null,
      anchor: null,
      compared: witnesses.length,
      unsealed: await countUnsealedRows(db),
      late: { rows: 0, first: null, last: null },
      dropped: 0,
      otherKey: 0,
      accepted: epochs.flatMap(({ rows, at, reason }) => (reason === null ? [] : [{ rows, at, reason }])),
    };
    const failed = (fault: AuditFault, broken: number, anchor: ChainVerdict["anchor"] = null): ChainVerdict => ({
      ...verdict,
      fault,
      broken,
      anchor,
    });
    const gaps = genuineGaps(chain.key, await readGaps(db));
    const verifier = new ChainVerifier(chain, { epochs, gaps }, witnesses, verdict);
    const epochFault = findEpochFault(chain.key, epochs, anchors.length > 0);
    if (epochFault) return failed(epochFault, (epochs.at(-1)?.rows ?? 0) + 1);
    const fault = await verifier.along(db, batchSize);
    if (fault) return failed(fault, verdict.rows + 1);
    const contradicted = verifier.contradicted();
    if (contradicted) {
      const isCut = contradicted.rows > verdict.rows;
      return failed(isCut ? "cut" : "resealed", isCut ? verdict.rows + 1 : contradicted.rows, contradicted);
    }
    const isForged = inFile.forged > 0 || (inDatabase !== null && !isGenuine(chain.key, inDatabase));
    return isForged ? failed(inFile.isOtherKey ? "otherKey" : "anchorForged", verdict.rows + 1) : verdict;
  });
}

class ChainVerifier {
  readonly #chain: AuditChain;
  readonly #epochs: readonly KeyEpoch[];
  readonly #gaps: readonly AuditGap[];
  readonly #witnesses: readonly (ChainHead & { at?: string })[];
  readonly #verdict: ChainVerdict;
  readonly #wanted: ReadonlySet<number>;
  readonly #found = new Map<number, string>();
  /** The gaps that are part of the chain. No other gap says anything about an anchor. */
  readonly #skipped: AuditGap[] = [];
  #before = genesisHash;
  #lastId = 0;
  constructor(
    chain: AuditChain,
    { epochs, gaps }: { epochs: readonly KeyEpoch[]; gaps: readonly AuditGap[] },
    witnesses: readonly ChainHead[],
    verdict: ChainVerdict,
  ) {
    this.#chain = chain;
    this.#epochs = epochs;
    this.#gaps = gaps;
    this.#witnesses = witnesses;
    this.#verdict = verdict;
    this.#wanted = new Set(witnesses.map(({ rows }) => rows));
    this.#found.set(0, genesisHash);
  }

  async along(db: Db, batchSize: number): Promise<AuditFault | null> {
    for (;;) {
      const { rows } = await sql<SealedRow>`select ${sealedColumns}, seq, hash from audit
        where seq >= ${this.#verdict.rows} and (seq, id) > (${this.#verdict.rows}, ${this.#lastId})
        order by seq, id limit ${batchSize}`.execute(db);
      for (const row of rows) {
        const fault = this.#step(row);
        if (fault) return fault;
      }
      if (rows.length < batchSize) return null;
    }
  }

  #step(row: SealedRow): AuditFault | null {
    const { late } = this.#verdict;
    this.#skipGaps(row.seq);
    if (row.seq !== this.#verdict.rows + 1) return "missing";
    const epoch = epochOf(this.#epochs, row.seq);
    if (epoch && epoch.rows === row.seq - 1 && epoch.hash !== this.#before) return "altered";
    if (!fitsSeal(this.#chain.key, epoch, this.#before, row)) return "altered";
    if (epoch && epoch.key_id !== this.#chain.key.id) this.#verdict.otherKey += 1;
    if (row.late_at !== null) {
      late.rows += 1;
      late.first ??= row.seq;
      late.last = row.seq;
    }
    this.#before = row.hash;
    this.#lastId = row.id;
    this.#verdict.rows = row.seq;
    if (this.#wanted.has(row.seq)) this.#found.set(row.seq, row.hash);
    return null;
  }

  /** Goes on behind the rows before this one that retention has dropped. */
  #skipGaps(seq: number): void {
    for (const gap of this.#gaps) {
      const { first, last, hash } = gap;
      if (first !== this.#verdict.rows + 1 || last >= seq) continue;
      this.#skipped.push(gap);
      this.#verdict.dropped += last - first + 1;
      this.#verdict.rows = last;
      this.#before = hash;
    }
  }

  /** Returns the first anchor whose hash differs from that of its row, or whose row is missing. */
  contradicted(): (ChainHead & { at: string | null }) | null {
    const found = this.#witnesses
      .toSorted((one, other) => one.rows - other.rows)
      .find((head) => this.#found.get(head.rows) !== head.hash && !fitsGap(this.#skipped, head));
    return found ? { rows: found.rows, hash: found.hash, at: found.at ?? null } : null;
  }
}

const countUnsealedRows = (db: Db): Promise<ChainVerdict["unsealed"]> =>
  db
    .selectFrom("audit")
    .select([sql<number>`count(*)::int`.as("rows"), sql<string | null>`min(at)`.as("since")])
    .where("seq", "is", null)
    .executeTakeFirstOrThrow();
