import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { analysisCalls, builtInEngine } from "@arcada/contract/analysis/analysis.calls";
import { hasAccess, findRole, roles } from "@arcada/contract/kernel/roles";
import type { Role } from "@arcada/contract/kernel/roles";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { reportCalls } from "@arcada/contract/report/report.calls";
import { screens } from "@arcada/contract/screens";
import type { Screen } from "@arcada/contract/screens";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { demoAccounts } from "../../apps/server/src/domain/demo-accounts.ts";
import { demoClinics } from "../../demo/after-sales-clinics.ts";
import { demoDevices } from "../../demo/devices.ts";
import { demoFeedback, demoPackage } from "../../demo/feedback-and-packages.ts";
import { demoWorkorder } from "../../demo/workorders.ts";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { signIn } from "./support/account-steps.ts";
import {
  findAxeViolations,
  findContrastViolations,
  findLastingFaults,
  setColourScheme,
} from "./support/page-checks.ts";
import { BrowserUser, isBrief, narrow, wide } from "./support/browser-user.ts";
import { present } from "@arcada/testing/require-present";

const product = new Product({ ARCADA_DEMO: "on" });
let browser: Browser;
/** The ids for screens that need one in the address. */
let recordIds = { patient: "", order: "", study: "", ct: "", analysis: "", report: "" };
let creation: Promise<typeof recordIds>;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  creation = createDemoRecords();
  // The tests that await it report the error.
  creation.catch(() => {});
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

// A manager's screens include those of the institution's other roles. Software rendering is slow, so do not repeat it.
const isFull = process.env.ARCADA_PROOF === "full";
const firstAccountOfRole = [
  ...new Map(demoAccounts.accounts.toReversed().map((one) => [one.role, one])).values(),
].toReversed();
const checkedAccounts = firstAccountOfRole.filter(({ role }) => isFull || !role.endsWith("Member"));
/** In CI a screen is read by the first of them who may see it. */
const isCheckedHere = (role: Role, name: string): boolean =>
  isFull ||
  checkedAccounts.find((one) =>
    hasAccess(screens[name as keyof typeof screens].access, findRole(roles[one.role].authorityId)),
  )?.role === role;
const isCheckedInBothSizes = (name: string): boolean => isFull || !["ctViewer", "viewer", "orderDetail"].includes(name);
const screensFor = (role: Role) => addressesFor(role).filter(([name]) => isCheckedHere(role, name));
/** In brief mode every third screen is checked in Arabic, and then in Arabic alone. */
const isCheckedInArabic = (role: Role, [name]: Address): boolean =>
  role.endsWith("Admin") &&
  isCheckedInBothSizes(name) &&
  (!isBrief || screensFor(role).findIndex(([one]) => one === name) % 3 === 1);

/** In brief mode every third screen is checked in dark mode. */
let darkTurn = 0;
const isCheckedInDark = (): boolean => !isBrief || darkTurn++ % 3 === 0;

// This test sees nothing of the demo data, which may still be growing.
it(
  "the sign-in pages render in both languages and widths without console errors or accessibility faults",
  { timeout: 120_000 },
  async () => {
    const faults: string[] = [];
    for (const language of ["zh", "en"] as const) {
      const person = await BrowserUser.open(browser, product.address, language);
      for (const name of ["login", "register", "forgot", "help", "authorizeApp", "notFound", "notAllowed"] as const) {
        await person.goTo(screens[name].path);
        await waitUntilSettled(person);
        faults.push(...(await findFaults(person, name, `door-${name}`)));
        if (!isBrief || language === "zh") faults.push(...(await findDarkModeFaults(person, name)));
      }
      faults.push(...person.consoleProblems);
      await person.close();
    }
    expect(faults).toEqual([]);
  },
);

/** Those without an organisation first: their screens show nothing of the demo's cases, which are still being made. */
const staffFirst = <A extends (typeof demoAccounts.accounts)[number]>(accounts: A[]): A[] =>
  accounts.toSorted((one, other) => Number(one.house !== null) - Number(other.house !== null));

describe.each(staffFirst(checkedAccounts))("the screens of $role", ({ account, role, house }) => {
  it(
    "render in both languages and widths without console errors or accessibility faults",
    { timeout: 480_000 },
    async () => {
      if (house !== null) recordIds = await creation;
      const person = await BrowserUser.open(browser, product.address);
      await signIn(person, account, demoAccounts.password);
      const faults: string[] = [];
      for (const [languages, [name, address]] of planVisits(
        screensFor(role).filter((one) => !isBrief || !isCheckedInArabic(role, one)),
      )) {
        // A screen that is checked in one language alone is opened in it.
        if (isBrief) await openIn(person, languages[0]);
        await person.goTo(address);
        await waitUntilSettled(person);
        for (const language of languages) {
          await person.switchLanguage(language);
          faults.push(...(await findFaults(person, name, role.endsWith("Member") ? null : `${role}-${name}`)));
        }
        if (isCheckedInBothSizes(name) && isCheckedInDark()) faults.push(...(await findDarkModeFaults(person, name)));
      }
      expect([...faults, ...person.consoleProblems]).toEqual([]);
      await person.close();
    },
  );
});

describe.each(staffFirst(firstAccountOfRole.filter(({ role }) => role.endsWith("Admin"))))(
  "the screens of $role in Arabic",
  ({ account, role, house }) => {
    it("render from right to left without console errors or accessibility faults", { timeout: 480_000 }, async () => {
      if (house !== null) recordIds = await creation;
      const person = await BrowserUser.open(browser, product.address);
      await signIn(person, account, demoAccounts.password);
      await person.context.addCookies([{ name: "language", value: "ar", url: product.address }]);
      const faults: string[] = [];
      for (const [name, address] of screensFor(role).filter((one) => isCheckedInArabic(role, one))) {
        // In brief mode use the narrow width, which has the least room.
        await person.page.setViewportSize(isBrief ? narrow : wide);
        await person.goTo(address);
        await waitUntilSettled(person);
        expect(await person.page.evaluate(() => document.documentElement.dir), name).toBe("rtl");
        const found = await findLastingFaults(() => findAxeViolations(person.page));
        await person.page.setViewportSize(narrow);
        await waitUntilSettled(person);
        found.push(...(await findLastingFaults(() => person.findSidewaysScroll())));
        await person.takeScreenshot(`${role}-${name}-ar-390`);
        faults.push(...found.map((fault) => `${name} in ar: ${fault}`));
      }
      expect([...faults, ...person.consoleProblems]).toEqual([]);
      await person.close();
    });
  },
);

/** The demo's images are seeded after the server accepts the first users; the first case comes last. */
async function createDemoRecords(): Promise<typeof recordIds> {
  const [clinic] = demoAccounts.accounts;
  const { token } = await product.call(signInCalls.login, {
    account: clinic.account,
    password: demoAccounts.password,
  });
  const as = { token };
  for (let wait = 0; wait < 420; wait++) {
    const orders = await product.call(orderCalls.list, { page: 1, pageSize: 50 }, as);
    const order = orders.list.find(({ state, step }) => state === "awaiting_design" && step === "submitted");
    if (order) {
      const { patientId } = await product.call(orderCalls.detail, { id: order.id }, as);
      const studies = await product.call(studyCalls.list, { patientId: present(patientId) }, as);
      const ct = studies.find(({ kind, state }) => kind === "ct" && state === "ready");
      const study = studies.find(({ kind }) => kind === "panorama");
      if (ct && study) {
        const [looked] = await product.call(analysisCalls.start, { studyId: study.id, engine: builtInEngine }, as);
        const { list } = await product.call(reportCalls.list, {}, as);
        const rest = { order: order.id, study: study.id, ct: ct.id, analysis: looked.id, report: list[0].id };
        return { patient: present(patientId), ...rest };
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  throw new Error(
    `The demo's first case did not come: ${JSON.stringify(await product.call(patientCalls.list, {}, as))}`,
  );
}

type Address = [name: string, address: string];

function addressesFor(role: Role): Address[] {
  const query: Record<string, string> = {
    patientDetail: `?id=${recordIds.patient}`,
    orderDetail: `?id=${recordIds.order}`,
    sendPage: `?patientId=${recordIds.patient}`,
    viewer: `?study=${recordIds.study}`,
    ctViewer: `?study=${recordIds.ct}`,
    compare: `?patient=${recordIds.patient}`,
    filmMount: `?patient=${recordIds.patient}`,
    photoSeries: `?patient=${recordIds.patient}`,
    cephViewer: `?study=${recordIds.study}`,
    cephOver: `?patient=${recordIds.patient}`,
    analysis: `?id=${recordIds.analysis}`,
    reportDetail: `?id=${recordIds.report}`,
    clinicDetail: `?id=${demoClinics.far.id}`,
    deviceDetail: `?id=${demoDevices[0].id}`,
    feedbackDetail: `?id=${demoFeedback}`,
    packageDetail: `?id=${demoPackage}`,
    workorderDetail: `?id=${demoWorkorder}`,
    softwareVersion: "?product=Aurora+CBCT&version=2.4.0",
  };
  // A lab sees of a patient's images what an order brought along: the panorama is not among it.
  const hidden = roles[role].side === "lab" ? ["viewer", "cephViewer"] : [];
  return (Object.entries(screens) as [string, Screen][])
    .filter(
      ([name, { access, bare }]) =>
        !bare && hasAccess(access, findRole(roles[role].authorityId)) && !hidden.includes(name),
    )
    .map(([name, { path }]) => [name, path + (query[name] ?? "")]);
}

type Visit = [languages: readonly BrowserUser["language"][], screen: Address];

/** Each screen in both languages; where it has to be quick, every other one in each. */
const planVisits = (seen: Address[]): Visit[] =>
  isBrief
    ? (["zh", "en"] as const).flatMap((language, rest) =>
        seen.filter((_, place) => place % 2 === rest).map((screen): Visit => [[language], screen]),
      )
    : seen.map((screen, place): Visit => [place % 2 === 0 ? ["zh", "en"] : ["en", "zh"], screen]);

/** Everything on the page has come, as far as a person sees. */
async function waitUntilSettled(person: BrowserUser): Promise<void> {
  await person.page.locator("main").first().waitFor();
  const waiting = person.page.locator(".mantine-Skeleton-root, .mantine-Loader-root").filter({ visible: true });
  await expect.poll(() => waiting.count(), { timeout: 30_000, interval: 150 }).toBe(0);
  // Text that is fading in, or below a dialog that fades out, has a lower contrast than its final one.
  await person.waitUntilSettled();
}

/** Chinese is read on a wide screen, English on a narrow one. */
const sizeOf = (language: BrowserUser["language"]) => (language === "zh" ? wide : narrow);

async function openIn(person: BrowserUser, language: BrowserUser["language"] = person.language): Promise<void> {
  await person.switchLanguage(language);
  await person.page.setViewportSize(sizeOf(language));
}

/** Wide and narrow; what both sizes share is checked for everybody's reading in the size that is rarer used with it. */
async function findFaults(person: BrowserUser, name: string, shot: string | null): Promise<string[]> {
  const faults: string[] = [];
  const checked = sizeOf(person.language);
  for (const size of isBrief ? [checked] : [wide, narrow]) {
    await person.page.setViewportSize(size);
    await waitUntilSettled(person);
    if (shot) await person.takeScreenshot(`${shot}-${person.language}-${size.width}`);
    if (size === checked) faults.push(...(await findLastingFaults(() => findAxeViolations(person.page))));
    faults.push(...(await findLastingFaults(() => person.findSidewaysScroll())));
  }
  if (!isBrief) await person.page.setViewportSize(wide);
  return faults.map((fault) => `${name} in ${person.language}: ${fault}`);
}

async function findDarkModeFaults(person: BrowserUser, name: string): Promise<string[]> {
  await setColourScheme(person, "dark");
  const faults = await findLastingFaults(() => findContrastViolations(person.page));
  await setColourScheme(person, "light");
  return faults.map((fault) => `${name} in the dark: ${fault}`);
}
