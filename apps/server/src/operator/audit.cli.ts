import { anchorFileName } from "../platform/audit/audit-anchors.ts";
import { openAuditChain } from "../platform/audit/audit-chain.ts";
import type { AuditChain } from "../platform/audit/audit-chain.ts";
import type { ChainHead } from "../platform/audit/audit-key.ts";
import { acceptAudit } from "../platform/audit/audit-seal.ts";
import { verifyAudit } from "../platform/audit/audit-verify.ts";
import type { ChainVerdict } from "../platform/audit/audit-verify.ts";
import { StartError } from "../platform/runtime/config.ts";
import type { Config } from "../platform/runtime/config.ts";
import type { Database } from "../platform/database/database.ts";
import { loadSecretKey } from "../platform/storage/open-file-store.ts";

const loadAuditChain = async (config: Config): Promise<AuditChain> =>
  openAuditChain(await loadSecretKey(config), config.dataDir);

/**
 * `audit verify [--head ROWS:HASH]…`: exit status 0 if every row and every anchor matches, else 1. It seals nothing.
 */
export async function verifyAuditLog(database: Database, given: string[], config: Config): Promise<number> {
  const heads = parseHeads(given);
  const verdict = await verifyAudit(database, await loadAuditChain(config), { heads });
  const lines = [...describeVerdict(verdict), ...describeNotes(verdict)];
  process.stdout.write(`${lines.join("\n")}\n`);
  return verdict.broken === null && !hasNoAnchor(verdict) ? 0 : 1;
}

/** `audit accept REASON`: continues from the audit log as it is. The reason is shown at every verification. */
export async function acceptAuditLog(database: Database, given: string[], config: Config): Promise<number> {
  const reason = given.join(" ").trim();
  if (reason === "") throw new StartError("Wanted: audit accept REASON");
  const { rows, hash } = await acceptAudit(database, await loadAuditChain(config), reason);
  process.stdout.write(`The audit trail goes on behind row ${rows}. Its head: ${rows}:${hash}\n`);
  return 0;
}

function parseHeads(given: string[]): ChainHead[] {
  const heads: ChainHead[] = [];
  for (let at = 0; at < given.length; at += 2) {
    const [, rows, hash] = /^(\d{1,15}):([\w-]{43}|[0-9a-f]{64})$/.exec(given[at + 1] ?? "") ?? [];
    if (given[at] !== "--head" || rows === undefined || hash === undefined)
      throw new StartError("Wanted: audit verify [--head ROWS:HASH]…");
    heads.push({ rows: Number(rows), hash });
  }
  return heads;
}

/** Without evidence outside the table, the rows only prove that they are consistent with each other. */
const hasNoAnchor = ({ rows, compared }: ChainVerdict): boolean => rows > 0 && compared === 0;

function describeVerdict(verdict: ChainVerdict): string[] {
  const { rows, compared, fault } = verdict;
  if (fault) return [faultTexts[fault](verdict)];
  if (hasNoAnchor(verdict))
    return [
      `The ${rows} rows of the audit trail fit each other, but there is no anchor to compare them with: ${anchorFileName} is not in DATA_DIR. Give a head from an e-mail or a log: audit verify --head ROWS:HASH.`,
    ];
  return [`The audit trail holds: ${rows} rows, compared with ${compared} anchors.`];
}

const describeAnchor = ({ anchor }: ChainVerdict): string =>
  anchor?.at ? `an anchor of ${anchor.at}` : "the head that was given";

const faultTexts: Record<NonNullable<ChainVerdict["fault"]>, (verdict: ChainVerdict) => string> = {
  altered: ({ broken }) => `The audit trail is broken at row ${broken}: its content does not fit its seal.`,
  missing: ({ broken }) => `The audit trail is broken at row ${broken}: it is missing.`,
  cut: (verdict) =>
    `The audit trail was cut: ${describeAnchor(verdict)} knows ${verdict.anchor?.rows} rows, the table has ${verdict.rows} with a seal. If a backup was restored, its rows behind that are lost: audit accept REASON goes on from here.`,
  resealed: (verdict) =>
    `The audit trail was sealed anew: at row ${verdict.broken} ${describeAnchor(verdict)} knows another seal. Rows up to there were changed, or a backup was restored and written to.`,
  startMissing: () =>
    "The record of where the keyed seals begin is missing or was changed: the audit trail cannot be trusted.",
  otherKey: () =>
    "The audit trail was sealed under another key. Run this with the SECRET_KEY of then; if SECRET_KEY was changed on purpose, audit accept REASON goes on under the new one.",
  anchorForged: () =>
    `Every row fits its seal, but ${anchorFileName} or the anchor in the database was changed by somebody who has no key.`,
};

function describeNotes({ unsealed, late, dropped, otherKey, accepted }: ChainVerdict): string[] {
  return [
    ...(dropped > 0 ? [`${dropped} of these rows were dropped because their retention had ended.`] : []),
    ...(unsealed.rows > 0 ? [`${unsealed.rows} rows are not sealed yet, the oldest of ${unsealed.since}.`] : []),
    ...(late.rows > 0
      ? [
          `${late.rows} rows (${late.first} to ${late.last}) were sealed later than a minute after they were written: Arcada did not run, or they stood there without a seal.`,
        ]
      : []),
    ...(otherKey > 0 ? [`${otherKey} rows were sealed under an earlier key: only anchors speak for them.`] : []),
    ...accepted.map(({ rows, at, reason }) => `Accepted on ${at} behind row ${rows}: ${reason}`),
  ];
}
