import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import sharp from "sharp";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { guidePictureSize } from "../apps/web/src/help/guide-content.ts";
import { demoAccounts } from "../apps/server/src/domain/demo-accounts.ts";
import { signIn } from "../tests/e2e/support/account-steps.ts";
import { BrowserUser } from "../tests/e2e/support/browser-user.ts";
import { clinicPictures } from "./guide-pictures/clinic-pictures.ts";
import { findDemoRecords } from "./guide-pictures/demo-records.ts";
import type { DemoRecords } from "./guide-pictures/demo-records.ts";
import type { GuidePicture } from "./guide-pictures/guide-picture.ts";
import { laboratoryAndServicePictures } from "./guide-pictures/laboratory-and-service-pictures.ts";

// Makes the pictures of the user guide (docs/user/images) from the demo, in Chinese and English: build the web
// application, then `node scripts/app.mjs exec node scripts/take-guide-pictures.ts [NAME …]`. With GUIDE_PORT it uses a
// demo that runs at that port already.

const folder = path.join(import.meta.dirname, "../docs/user/images");
const mostBytes = 34_000;
const names = process.argv.slice(2);
const pictures = [...clinicPictures, ...laboratoryAndServicePictures].filter(
  ({ name }) => names.length === 0 || names.includes(name),
);

const product = new Product({ ARCADA_DEMO: "on", LOGIN_STEP_UP: "off" });
const runningPort = Number(process.env["GUIDE_PORT"] ?? 0);
product.port = runningPort;
const [browser] = await Promise.all([launchBrowser(), runningPort ? undefined : product.start()]);
const failures: string[] = [];
try {
  const records = await findDemoRecords(product);
  for (const language of ["zh", "en"] as const)
    for (const account of new Set(pictures.map((picture) => picture.account)))
      await takePicturesOf(browser, language, account, records);
} finally {
  await browser.close();
  if (!runningPort) await product.remove();
}
for (const failure of failures) process.stderr.write(`${failure}\n`);
process.exit(failures.length > 0 ? 1 : 0);

async function takePicturesOf(
  at: Browser,
  language: "zh" | "en",
  account: string | undefined,
  records: DemoRecords,
): Promise<void> {
  const person = await BrowserUser.open(at, product.address, language, { viewport: guidePictureSize });
  // A part that does not come must not cost the time of ten pictures.
  person.context.setDefaultTimeout(15_000);
  if (account) await signIn(person, account, demoAccounts.password);
  for (const picture of pictures.filter((one) => one.account === account)) {
    try {
      await takePicture(person, picture, records);
      process.stdout.write(`${language}/${picture.name}\n`);
    } catch (error) {
      // The other pictures are made all the same.
      failures.push(`${language}/${picture.name}: ${(error as Error).message}`);
    }
  }
  await person.close();
}

async function takePicture(person: BrowserUser, picture: GuidePicture, records: DemoRecords): Promise<void> {
  const { page } = person;
  // A dialog of the picture before must not cover this one.
  await page.goto("about:blank");
  await person.goTo(picture.address(records));
  await waitUntilShown(person, picture);
  if (picture.prepare) {
    await picture.prepare(person);
    await waitUntilShown(person, picture);
  }
  await picture.point?.(person).evaluate((element) => {
    element.style.outline = "3px solid #e8590c";
    element.style.outlineOffset = "4px";
  });
  const png = await page.screenshot({ animations: "disabled", caret: "hide" });
  mkdirSync(path.join(folder, person.language), { recursive: true });
  writeFileSync(path.join(folder, person.language, `${picture.name}.webp`), await compress(png));
}

async function waitUntilShown(person: BrowserUser, { drawsImages }: GuidePicture): Promise<void> {
  const { page } = person;
  await page.locator("main, form").first().waitFor();
  await page.waitForLoadState("load");
  const waiting = page.locator(".mantine-Skeleton-root, .mantine-Loader-root").filter({ visible: true });
  for (let wait = 0; wait < 100 && (await waiting.count()) > 0; wait++) await page.waitForTimeout(150);
  await page.waitForTimeout(drawsImages ? 4000 : 500);
  await person.waitUntilSettled();
}

/** A picture of at most the size that the guide allows: the quality gives way first. */
async function compress(png: Buffer): Promise<Buffer> {
  for (let quality = 80; quality >= 20; quality -= 6) {
    const webp = await sharp(png).webp({ quality, effort: 6 }).toBuffer();
    if (webp.length <= mostBytes) return webp;
  }
  throw new Error("The picture is too large at every quality.");
}
