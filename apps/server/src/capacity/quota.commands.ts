import { capacityRules } from "@arcada/contract/capacity/capacity.rules";
import { adminCommand, readWholeNumber } from "../platform/runtime/admin-command.ts";
import { StartError } from "../platform/runtime/config.ts";
import { recordCommand } from "../platform/audit/command-audit.ts";
import { setQuota } from "./quota.store.ts";

export const quotaCommands = [
  adminCommand({
    name: "set-quota",
    summary: "Sets the free base of a clinic or a laboratory; cards and subscriptions are added to it.",
    options: {
      organisation: { value: "NUMBER", required: true, help: "the organisation's number" },
      storage: { value: "GB", help: "gigabytes of stored originals; without it the value stays" },
      analyses: { value: "COUNT", help: "number of analyses; without it the value stays" },
    },
    run: async ({ organisation: number, storage, analyses }, { database, print }) => {
      if (storage === undefined && analyses === undefined) throw new StartError("Give --storage, --analyses or both.");
      const change = {
        gigabytes: storage === undefined ? null : readWholeNumber("storage", storage, capacityRules.maxGigabytes),
        analyses: analyses === undefined ? null : readWholeNumber("analyses", analyses, capacityRules.maxAnalyses),
      };
      const quota = await database.asSystem(async (db) => {
        const id = (
          await db
            .selectFrom("institution")
            .select("id")
            .where("number", "=", number)
            .where("stub", "=", false)
            .executeTakeFirst()
        )?.id;
        if (id === undefined) throw new StartError(`There is no organisation with the number ${number}.`);
        const set = await setQuota(db, id, change);
        await recordCommand(db, "setQuota", id, { ...set });
        return set;
      });
      print(`${number} has a base of ${quota.gigabytes} GB and ${quota.analyses} analyses.`);
      return 0;
    },
  }),
];
