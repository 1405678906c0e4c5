import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { refusals } from "@arcada/contract/kernel/refusals";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { goodPassword as password, solveHumanCheck } from "@arcada/testing/fixtures/human-check";
import { Product } from "@arcada/testing/setup/product-process";
import { captureFailures } from "./support/page-checks.ts";
import { BrowserUser, isBrief } from "./support/browser-user.ts";
import type { Language } from "./support/translations.ts";

const product = new Product();
let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  await product.register("known@messages.test", "clinicManager");
  for (const language of ["zh", "en"]) await product.register(`victim-${language}@messages.test`, "clinicManager");
});
captureFailures("messages", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

const known = "known@messages.test";
/** In place of a value that nobody knows beforehand: the words before it are enough. */
const placeholder = "\u0000";
const victim = (person: BrowserUser) => `victim-${person.language}@messages.test`;
const newcomer = (person: BrowserUser) => `newcomer-${person.language}@messages.test`;

/** A message and the steps that lead to it. Each row continues from the end of the one before. */
type MessageRow = [
  key: string,
  reach: (person: BrowserUser) => Promise<void>,
  values?: (person: BrowserUser) => Record<string, string>,
];

const typeFields = (fields: Record<string, string>) => async (person: BrowserUser) => {
  for (const [name, value] of Object.entries(fields))
    await person.page.locator(`input[name=${name}]`).last().fill(value);
};
const signInAs = (account: string, secret: string) => async (person: BrowserUser) => {
  await typeFields({ account })(person);
  await typeFields({ password: secret })(person);
  await person.button("account.signIn").click();
};
const openPage =
  (path: string, ...then: ((person: BrowserUser) => Promise<void>)[]) =>
  async (person: BrowserUser) => {
    await person.goTo(path);
    for (const step of then) await step(person);
  };
const pressButton = (key: string) => (person: BrowserUser) => person.button(key).first().click();
const chooseCodeSignIn = (person: BrowserUser) => person.text("account.byCode").click();

const cookieMessages: MessageRow[] = ["/login", "/register", "/forgot"].map((path) => [
  "account.cookiesRefused",
  async (person) => {
    await openPage(path, pressButton("account.cookiesRefuse"))(person);
    expect(await person.page.locator("input[name=account]").isDisabled(), path).toBe(true);
  },
]);

const signInMessages: MessageRow[] = [
  [
    "common.field.accountEmpty",
    openPage("/login", pressButton("account.cookiesAccept"), pressButton("account.signIn")),
  ],
  ["common.field.passwordEmpty", async () => {}],
  ["common.field.accountShape", typeFields({ account: "somebody" })],
  ["common.field.phoneShape", typeFields({ account: "139-1234-5678" })],
  ["common.field.emailShape", typeFields({ account: "somebody@nowhere" })],
  ["common.field.accountUnknown", signInAs("nobody@messages.test", password)],
  ["account.registerWith", async () => {}, () => ({ account: "nobody@messages.test" })],
  ["common.field.wrongPassword", (person) => signInAs(victim(person), "not-the-password-1")(person)],
  [
    "refusals.humanNeeded",
    async (person) => {
      for (const guess of ["not-the-password-2", "not-the-password-3", "not-the-password-4"]) {
        const answered = person.page.waitForResponse("**/v1/base/login");
        await signInAs(victim(person), guess)(person);
        await answered;
      }
    },
  ],
  ["account.human", async () => {}],
  ["common.field.codeEmpty", openPage("/login", chooseCodeSignIn, pressButton("account.signIn"))],
  ["common.field.codeShape", typeFields({ account: known, code: "123" })],
  [
    "refusals.codeTooSoon",
    async (person) => {
      // However long ago the last one was.
      const human = await solveHumanCheck(await product.call(signInCalls.humanChallenge, {}));
      await product.ask(signInCalls.sendCode, { account: victim(person), purpose: "login", human });
      await typeFields({ account: victim(person), code: "" })(person);
      await pressButton("account.getCode")(person);
    },
    () => ({ seconds: placeholder }),
  ],
  [
    "common.field.codeWrong",
    async (person) => {
      await typeFields({ code: "000000" })(person);
      await pressButton("account.signIn")(person);
    },
  ],
];

const registrationMessages: MessageRow[] = [
  ["common.field.accountTaken", openPage("/register", typeFields({ account: known }), pressButton("account.getCode"))],
  ["account.signInWith", async () => {}, () => ({ label: known })],
  [
    "account.codeSent",
    async (person) => {
      await typeFields({ account: newcomer(person) })(person);
      await pressButton("account.getCode")(person);
    },
  ],
  [
    "common.field.roleNeeded",
    async (person) => {
      // The account outlives a reload, and so does the time until the next code.
      await person.page.reload();
      const account = person.page.locator("input[name=account]");
      await expect.poll(() => account.inputValue()).toBe(newcomer(person));
      expect(await person.button("account.getCode").count()).toBe(0);
      await typeFields({ code: product.findSentCode(newcomer(person)) })(person);
      await pressButton("account.register")(person);
    },
  ],
  ["common.field.agreeNeeded", async () => {}],
  ["common.field.nameNeeded", async () => {}],
  ["common.field.passwordShort", typeFields({ password: "12345" })],
  ["common.field.passwordsDiffer", typeFields({ password: "123456", confirm: "654321" })],
  [
    "refusals.passwordCommon",
    async (person) => {
      await typeFields({ confirm: "123456" })(person);
      await person.page.getByRole("radio", { name: person.t("account.role.dentist") }).check();
      await typeFields({ nickName: "李娜" })(person);
      await person.page.locator("input[name=agree]").check();
      await pressButton("account.register")(person);
    },
  ],
  ["account.strengthOf.4", typeFields({ password: password, confirm: password })],
  ["common.said.registered", pressButton("account.register")],
  ["account.start.createText", async () => {}],
];

const signedInMessages: MessageRow[] = [
  [
    "refusals.avatarUnreadable",
    async (person) => {
      await person.link("account.start.settings").click();
      const text = { name: "face.png", mimeType: "image/png", buffer: Buffer.from("<svg onload=alert(1)>") };
      await person.page.locator("input[type=file]").setInputFiles(text);
    },
  ],
  [
    "common.field.wrongPassword",
    async (person) => {
      await typeFields({
        oldPassword: "not-mine",
        password: password,
        confirm: password,
      })(person);
      await pressButton("account.changePassword")(person);
    },
  ],
  [
    "account.passwordChanged",
    async (person) => {
      await typeFields({ oldPassword: password })(person);
      await pressButton("account.changePassword")(person);
    },
  ],
];

const userInfoRoute = "**/v1/user/getUserInfo";
const endedSessionMessages = (["unknownSession", "signedOutElsewhere", "sessionExpired"] as const).flatMap(
  (name): MessageRow[] => [
    [
      "shell.signInAgainText",
      async (person) => {
        await person.goTo("/profile/index?part=settings");
        const { code, status } = refusals[name];
        await person.page.route(
          "**/v1/user/setSelfInfo",
          (route) => route.fulfill({ status, json: { code, msg: person.t(`refusals.${name}`), data: null } }),
          { times: 1 },
        );
        await typeFields({ nickName: "What I typed" })(person);
        await pressButton("common.save")(person);
      },
    ],
    [
      `refusals.${name}`,
      async (person) => {
        await person.page
          .getByRole("dialog")
          .getByRole("button", { name: person.t("common.cancel") })
          .click();
        expect(await person.page.locator("input[name=nickName]").inputValue()).toBe("What I typed");
      },
    ],
  ],
);
/** The messages on the sign-in page for a user who was sent back there. */
const failedInfoMessage = (
  [
    ["common.verificationFailed", { code: 200, msg: "", data: null }],
    ["common.noRoles", { code: 200, msg: "", data: { id: "0", roles: [] } }],
    ["common.hasError", { code: 49999, msg: "", data: null }],
  ] as const
).map(([key, body]): MessageRow => [
  key,
  async (person) => {
    await person.page.unroute(userInfoRoute);
    if (person.page.url().includes("/login")) {
      await signInAs(newcomer(person), password)(person);
      await person.page.waitForURL("**/profile/index");
    }
    // As a server of another mind might answer, however often the page asks.
    await person.page.route(userInfoRoute, (route) => route.fulfill({ json: body }));
    await person.goTo("/profile/index");
  },
]);

// In CI once only: another test checks that each language has every text.
for (const language of isBrief ? (["zh"] as const) : (["zh", "en"] as const))
  it(`shows every message about accounts in ${language === "zh" ? "Chinese" : "English"} where it occurs`, async () => {
    const person = await BrowserUser.open(browser, product.address, language);
    for (const [key, reach, values] of [
      ...cookieMessages,
      ...signInMessages,
      ...registrationMessages,
      ...signedInMessages,
      ...endedSessionMessages,
      ...failedInfoMessage,
    ]) {
      await reach(person).catch((error: unknown) =>
        Promise.reject(new Error(`on the way to ${key}`, { cause: error })),
      );
      const [said = ""] = person.t(key, values?.(person)).split(placeholder);
      await person.page
        .getByText(said)
        .first()
        .waitFor({ timeout: 15_000 })
        .catch(() => Promise.reject(new Error(`nobody said ${key}: ${said}`)));
    }
    await resetPassword(person, language);
    expect(person.consoleProblems.filter((one) => !/status of 4\d\d/.test(one))).toEqual([]);
    await person.close();
  });

async function resetPassword(person: BrowserUser, language: Language): Promise<void> {
  const account = `newcomer-${language}@messages.test`;
  const asks = openPage("/forgot", typeFields({ account }), pressButton("account.getCode"));
  await asks(person);
  await person.waitFor(person.page.getByText(person.t("account.codeSent"), { exact: true }));
  // The server refuses a second code within a minute also where the browser has forgotten that one was sent.
  await person.page.evaluate(() => localStorage.clear());
  await asks(person);
  await person.waitFor(
    person.page.getByText(person.t("refusals.codeTooSoon", { seconds: placeholder }).split(placeholder)[0]),
  );
}
