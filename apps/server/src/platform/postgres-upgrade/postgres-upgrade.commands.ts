import path from "node:path";
import { deleteFormerClusters, keptDays } from "./former-clusters.ts";
import { upgradeCluster } from "./upgrade-cluster.ts";
import { explainDiskErrors } from "../backup/backup-parts.ts";
import { maintenanceCommand } from "../runtime/admin-command.ts";
import type { Config } from "../runtime/config.ts";
import { StartError } from "../runtime/config.ts";
import { shipWaitingSegments } from "../wal-archive/ship-wal.ts";

export const postgresCommands = [
  maintenanceCommand({
    name: "upgrade-postgres",
    summary:
      "Brings the embedded database to the major version of PostgreSQL that this version of Arcada uses. Stop Arcada first.",
    options: {
      programs: {
        value: "FOLDER",
        help: "the programs of the earlier PostgreSQL; default: /usr/lib/postgresql/VERSION",
      },
      accept: { help: `delete the old database now; otherwise it is kept for ${keptDays} days` },
    },
    maintain: async ({ programs, accept }, { config, print }) => {
      if (config.DATABASE_URL)
        throw new StartError("DATABASE_URL is set: the administrator of that database server upgrades it.");
      const folder = path.join(config.dataDir, "postgres");
      if (accept) {
        const deleted = await deleteFormerClusters(folder);
        for (const former of deleted) print(`${former} is deleted.`);
        if (deleted.length === 0) print("No old database is kept.");
        return 0;
      }
      await archiveLastChanges(config, print);
      const began = performance.now();
      const done = await explainDiskErrors(config.dataDir, () => upgradeCluster({ folder, programs, log: print }));
      if (!done) {
        print("The database has this version already.");
        return 0;
      }
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      print(`The database is upgraded from PostgreSQL ${done.from} to ${done.to}, in ${seconds} s.`);
      print(`The old one is kept in ${done.former} for ${keptDays} days of operation, or until --accept.`);
      return 0;
    },
  }),
];

/** The archive of the old database ends here. The upgrade does not depend on it: the old database is kept. */
const archiveLastChanges = (config: Config, print: (line: string) => void): Promise<void> =>
  shipWaitingSegments(config).catch((error: Error) =>
    print(`The last changes could not be archived (${error.message}). The upgrade goes on.`),
  );
