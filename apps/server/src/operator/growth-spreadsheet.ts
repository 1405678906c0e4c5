import { languages } from "@arcada/contract/kernel/languages";
import type { GrowthPeriod } from "@arcada/contract/operator/operator.calls";
import type { Database, Db } from "../platform/database/database.ts";
import type { OpenDocument } from "../platform/http/pdf-routes.ts";
import type { Cell } from "../platform/spreadsheet/spreadsheet.ts";
import { translatorOf } from "../platform/text/texts.ts";
import { loadGrowth } from "./platform-growth.ts";

/** Replaces the institution in the address: the figures are of all of them. */
export const noInstitution = "0";

/** Opens the figures of a period and of the one before as a spreadsheet, a week or month in each row. */
export const openGrowthSheet =
  (database: Database): OpenDocument =>
  async ({ language: asked, filter = "{}" }) => {
    const { from, to, timeZone } = JSON.parse(filter) as { from: string; to: string; timeZone: string };
    const language = languages.find((one) => one === asked) ?? "en";
    const t = translatorOf(language, "dashboard");
    const load = (db: Db) => loadGrowth(db, { from, to }, timeZone);
    const { unit, now, before } = await database.as({ system: true }, load, { toleratesDelay: true });
    const toRows = (period: string, { buckets }: GrowthPeriod): Cell[][] =>
      buckets.map((bucket) => [
        period,
        { day: bucket.from },
        { day: bucket.to },
        bucket.clinics,
        bucket.labs,
        bucket.people,
        toGigabytes(bucket.stored),
      ]);
    const titles = [
      t("period"),
      `${t(`unit.${unit}`)}: ${t("from")}`,
      `${t(`unit.${unit}`)}: ${t("to")}`,
      t("platform.clinics"),
      t("platform.labs"),
      t("platform.active"),
      t("export.gigabytes"),
    ];
    return {
      name: `arcada-platform-${from}-${to}.xlsx`,
      sheet: {
        name: t("title"),
        rightToLeft: language === "ar",
        columns: titles.map((title) => ({ title, width: 20 })),
        rows: (async function* () {
          yield [...toRows(t("compare.now"), now), ...toRows(t("compare.before"), before)];
        })(),
      },
    };
  };

const toGigabytes = (bytes: number): number => Math.round(bytes / 1e6) / 1000;
