import type { Browser } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoAccounts } from "../../apps/server/src/domain/demo-accounts.ts";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { signIn } from "./support/account-steps.ts";
import { BrowserUser, narrow, wide } from "./support/browser-user.ts";

const product = new Product({ ARCADA_DEMO: "accounts" });
const [clinic] = demoAccounts.accounts;
const demoInstitution = "晨光口腔 Morninglight Dental";
let browser: Browser;
let phone: BrowserUser;
let patient: string;
beforeAll(async () => {
  [browser] = await Promise.all([
    launchBrowser({ args: ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"] }),
    product.start(),
  ]);
  phone = await BrowserUser.open(browser, product.address, "zh", {
    viewport: narrow,
    hasTouch: true,
    permissions: ["camera"],
  });
  await signIn(phone, clinic.account, demoAccounts.password);
  await phone.goTo("/patientList");
  await phone.button("patient.new").first().click();
  const form = phone.page.getByRole("dialog", { name: phone.t("patient.newTitle") });
  await phone.field("patient.field.name", form).fill("照片甲");
  await form.getByText(phone.t("common.sex.female"), { exact: true }).click();
  await phone.field("patient.field.birthDate", form).fill("2012-02-03");
  await phone.button("common.save").click();
  await phone.page.waitForURL((url) => url.pathname === "/patientDetail/page");
  patient = new URL(phone.page.url()).searchParams.get("id") ?? "";
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

const shutter = () => phone.button("study.photoSeries.take");
const heading = (view: string) =>
  phone.page.getByRole("heading", { level: 1, name: phone.t(`study.photoSeries.view.${view}`), exact: true });

it("takes the first photograph two taps after the patient's page", async () => {
  await phone.link("patient.photos.start").click();
  await phone.waitFor(heading("face.rest"));
  await expect.poll(() => phone.page.locator("video[data-live]").count()).toBe(1);
  await phone.takeScreenshot("photo-series-camera-zh-390");
  await shutter().click();
  await phone.waitFor(heading("face.smile"));
});

it("goes on by itself, skips a view, and corrects a mirror picture by one tap", async () => {
  const { page } = phone;
  await phone.button("study.photoSeries.skip").click();
  await phone.waitFor(heading("face.profileR"));
  for (const next of ["mouth.front", "mouth.right", "mouth.left", "mouth.upper"]) {
    await shutter().click();
    await phone.waitFor(heading(next));
  }
  expect(await page.getByRole("button", { name: phone.t("study.photoSeries.mirror"), pressed: true }).count()).toBe(1);
  await phone.takeScreenshot("photo-series-mirror-zh-390");
  await shutter().click();
  await phone.waitFor(heading("mouth.lower"));
  const name = phone.t("study.photoSeries.view.mouth.upper");
  await phone.button("study.photoSeries.taken", { name }).click();
  const shown = page.getByRole("img", { name });
  const before = await shown.getAttribute("src");
  await phone.takeScreenshot("photo-series-taken-zh-390");
  await phone.button("study.photoSeries.flip").click();
  await expect.poll(() => shown.getAttribute("src")).not.toBe(before);
});

it("removes the place and turns a file of the phone's camera upright", async () => {
  const { page } = phone;
  await phone.button("study.photoSeries.next").click();
  const photo = await sharp({ create: { width: 400, height: 300, channels: 3, background: "#a55" } })
    .jpeg()
    .withExif({ IFD0: { Artist: "Kanarienvogel" }, IFD3: { GPSLatitude: "39/1 54/1 0/1", GPSLatitudeRef: "N" } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  await page.locator('input[type="file"]').setInputFiles({ name: "IMG_1.jpg", mimeType: "image/jpeg", buffer: photo });
  await phone.button("study.photoSeries.save", { count: 7 }).click();
  await page.waitForURL((url) => url.pathname === "/patientDetail/page");
  const series = page.getByRole("link", { name: new RegExp(phone.t("study.photoSeries.title")) });
  await series.waitFor({ timeout: 60_000 });
  await expect.poll(() => series.locator("img").count(), { timeout: 60_000 }).toBe(7);
  // Once in the series; each with its own actions for those who ask for photographs alone.
  const cards = page.locator("[data-study]");
  expect(await cards.count()).toBe(0);
  await phone.takeScreenshot("photo-series-wall-zh-390");
  // The radio buttons of chips have no size: their labels are tapped.
  const chips = page.getByRole("group", { name: phone.t("study.filter"), exact: true }).locator("label");
  await chips.filter({ hasText: phone.t("study.kind.photo") }).click();
  await expect.poll(() => cards.count()).toBe(7);
  await chips.filter({ hasText: phone.t("study.allKinds") }).click();
  await series.click();
  await page.waitForURL((url) => url.pathname === "/photoSeries");
  await expect.poll(() => page.locator('img[src*="/files/converted"]').count(), { timeout: 60_000 }).toBeGreaterThan(6);
  await phone.takeScreenshot("photo-series-sheet-zh-390");
  await page.setViewportSize(wide);
  await phone.takeScreenshot("photo-series-sheet-zh-1440");
});

it("prints the sheet with the organisation, the patient and the day, and without anything to press", async () => {
  const { page } = phone;
  await page.evaluate(() => document.documentElement.setAttribute("data-mantine-color-scheme", "dark"));
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  expect(await page.evaluate(() => document.documentElement.dataset["mantineColorScheme"])).toBe("light");
  await phone.waitFor(page.getByText(demoInstitution).filter({ visible: true }));
  await phone.waitFor(page.getByRole("heading", { level: 1, name: "照片甲" }));
  const frame = page.locator("button, a.mantine-Button-root, nav, header").filter({ visible: true });
  expect(await frame.allInnerTexts()).toEqual([]);
  expect(await page.locator('img[src*="/files/"]').filter({ visible: true }).count()).toBe(7);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  expect(await page.evaluate(() => document.documentElement.dataset["mantineColorScheme"])).toBe("dark");
  await page.emulateMedia({ media: null });
});

it("offers a code for the phone on a wide screen", async () => {
  const desk = await BrowserUser.open(browser, product.address, "en");
  await signIn(desk, clinic.account, demoAccounts.password);
  await desk.goTo(`/patientDetail/page?id=${patient}`);
  await desk.button("patient.photos.start").click();
  await desk.waitFor(desk.page.getByRole("img", { name: desk.t("patient.photos.code") }));
  await desk.takeScreenshot("photo-series-code-en-1440");
  await desk.close();
  expect(phone.consoleProblems).toEqual([]);
});
