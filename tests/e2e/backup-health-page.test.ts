import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { healthRules } from "@arcada/contract/operator/health.calls";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { signIn } from "./support/account-steps.ts";
import { BrowserUser, narrow, wide } from "./support/browser-user.ts";
import { makeOperator } from "./support/operator-and-large-volume.ts";
import { captureFailures, checkPage } from "./support/page-checks.ts";

const place = mkdtempSync(path.join(tmpdir(), "arcada-operator-backup-"));
const cli = path.join(import.meta.dirname, "../../apps/server/src/cli.ts");
let browser: Browser;
const products: Product[] = [];
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  for (const product of products) await product.remove();
  rmSync(place, { recursive: true, force: true });
});
captureFailures("operator-backup", () => browser);

it.each([
  { language: "zh", viewport: wide },
  { language: "en", viewport: narrow },
] as const)(
  "in $language the operator sees that a backup is missing, then the last one and that it failed",
  { timeout: 240_000 },
  async ({ language, viewport }) => {
    const backups = path.join(place, language);
    const product = new Product({ BACKUP_DIR: backups });
    products.push(product);
    await product.start();
    const email = "operator@backup.test";
    await product.register(email, "clinicManager");
    await makeOperator(product, email);
    const operator = await BrowserUser.open(browser, product.address, language, { viewport });
    await signIn(operator, email);

    await operator.goTo("/systemHealth");
    await operator.waitFor(operator.text("operator.backup.warning.noneYet"));
    await checkPage(operator, "operator-backup-none");

    const backUp = (root: string) =>
      spawnSync(process.execPath, [cli, "backup", "create", root], {
        env: { ...process.env, DATA_DIR: product.folder, ARCADA_DEMO: "off" },
        encoding: "utf8",
      });
    expect(backUp(backups).status).toBe(0);
    await operator.page.reload();
    await operator.waitFor(operator.page.getByText(/\d{8}T\d{6}Z/));
    expect(await operator.text("operator.backup.warning.noneYet").count()).toBe(0);
    await checkPage(operator, "operator-backup-done");

    const noFolder = path.join(backups, "arcada-backups.json", "inside-a-file");
    expect(backUp(noFolder).status).toBe(2);
    await operator.page.reload();
    await operator.waitFor(operator.text("operator.backup.warning.failed", { hours: healthRules.backupHours }));
    await operator.waitFor(operator.page.getByText(noFolder));
    await checkPage(operator, "operator-backup-failed");
  },
);
