import { healthRules } from "@arcada/contract/operator/health.calls";
import type { BackupHealth, BackupWarning, LightState } from "@arcada/contract/operator/health.calls";
import { isBackupRunning } from "../platform/backup/backup-lock.ts";
import { findLatestRuns } from "../platform/backup/backup-runs.ts";
import type { BackupRun } from "../platform/backup/backup-runs.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import type { Config } from "../platform/runtime/config.ts";
import { isArchiving, measureWaiting, readStatus } from "../platform/wal-archive/archive-folder.ts";

/** Returns how the backups of this instance are, whoever made them. */
export async function checkBackups(db: Db, config: Config, now: Date): Promise<BackupHealth> {
  const { runs, running } = await bypassTenantScope(db, async () => ({
    runs: await findLatestRuns(db),
    running: await isBackupRunning(db),
  }));
  const { backup, failure, verification, verified } = runs;
  const facts = {
    target: config.BACKUP_DIR ?? null,
    running,
    last: backup && {
      at: backup.started_at,
      name: backup.name ?? "",
      target: backup.target,
      files: backup.files ?? 0,
      bytes: backup.bytes ?? 0,
      fault: backup.fault,
    },
    failure: failure && toFailure(failure),
    verification: verification && { ...toFailure(verification), name: verification.name, ok: verification.ok },
    archive: await checkArchive(config),
  };
  return { ...facts, warning: findWarning(facts, { verified: verified?.finished_at ?? null, config, now }) };
}

const toFailure = ({ finished_at, fault }: BackupRun) => ({ at: finished_at, fault });

async function checkArchive(config: Config): Promise<BackupHealth["archive"]> {
  if (!isArchiving(config)) return null;
  const [status, waiting] = [await readStatus(config), await measureWaiting(config)];
  return {
    at: status?.at ?? null,
    waiting: waiting.count,
    since: waiting.since?.toISOString() ?? null,
    fault: status?.fault ?? null,
  };
}

interface Circumstances {
  /** The time of the newest verification without a fault. */
  verified: string | null;
  config: Pick<Config, "BACKUP_VERIFY_DAYS" | "BACKUP_WAL_SECONDS">;
  now: Date;
}

/** Returns the most serious thing that an operator has to see to; null if there is none. */
export function findWarning(
  { target, last, failure, verification, archive }: Omit<BackupHealth, "warning">,
  { verified, config, now }: Circumstances,
): BackupWarning | null {
  const age = (instant: string) => now.getTime() - Date.parse(instant);
  if (failure) return "failed";
  if (!last) return target === null ? "notConfigured" : "noneYet";
  if (age(last.at) > healthRules.backupHours * 3_600_000) return "old";
  if (verification && !verification.ok) return "verificationFailed";
  const patience = Math.max(healthRules.archiveSeconds, 5 * config.BACKUP_WAL_SECONDS) * 1000;
  if (archive?.since && age(archive.since) > patience) return "archiveBehind";
  if (last.fault) return "filesDamaged";
  const isVerified = verified !== null && age(verified) <= 2 * config.BACKUP_VERIFY_DAYS * 86_400_000;
  // The first night makes the backup and verifies it; before, there is nothing to warn of.
  if (target !== null && config.BACKUP_VERIFY_DAYS > 0 && verification && !isVerified) return "notVerified";
  return null;
}

/** Each warning's light. */
export const warningLights: Record<BackupWarning, LightState> = {
  failed: "bad",
  old: "bad",
  verificationFailed: "bad",
  archiveBehind: "bad",
  notConfigured: "watch",
  noneYet: "watch",
  filesDamaged: "watch",
  notVerified: "watch",
};
