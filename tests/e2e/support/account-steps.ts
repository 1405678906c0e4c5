import { goodPassword as password } from "@arcada/testing/fixtures/human-check";
import type { Product } from "@arcada/testing/setup/product-process";
import type { BrowserUser } from "./browser-user.ts";

export interface Newcomer {
  email: string;
  name: string;
  role: "clinicManager" | "labManager";
}

/** From the sign-in page to an account: the code from the email, the details, and the first page after the sign-in. */
export async function fillRegistration(
  person: BrowserUser,
  product: Product,
  { email, name, role }: Newcomer,
): Promise<void> {
  await person.goTo("/");
  await person.button("account.cookiesAccept").click();
  await person.link("account.register").click();
  await person.waitFor(person.page.getByRole("heading", { name: person.t("account.registerTitle") }));
  await person.field("account.account").fill(email);
  await person.button("account.getCode").click();
  await person.waitFor(person.text("account.codeSent"));
  await person.field("account.code").fill(product.findSentCode(email));
  await person.page.getByRole("radio", { name: person.t(`account.role.${role}`) }).check();
  await person.field("account.userName").fill(name);
  await person.field("account.newPassword").fill(password);
  await person.field("account.confirmPassword").fill(password);
  await person.page.locator("input[name=agree]").check();
}

export async function confirmRegistration(person: BrowserUser, name: string): Promise<void> {
  await person.button("account.register").click();
  await person.waitFor(person.page.getByRole("heading", { name: person.t("account.startTitle", { name }) }));
}

/** Makes an organisation, becomes its manager, and answers with the number by which others find it. */
export async function createInstitution(person: BrowserUser, name: string): Promise<string> {
  await person.button("account.start.create").or(person.button("account.createInstitution")).first().click();
  await person.field("institution.name").fill(name);
  await person.page
    .getByRole("dialog")
    .getByRole("button", { name: person.t("institution.create") })
    .click();
  await person.page.waitForURL((url) => url.pathname !== "/profile/index");
  await person.goTo("/profile/index");
  const line = person.page
    .locator("div", { hasText: name })
    .getByText(/\b\d{8}\b/)
    .first();
  return /\d{8}/.exec(await line.innerText())?.[0] ?? "";
}

export async function signIn(person: BrowserUser, email: string, secret: string = password): Promise<void> {
  await person.goTo("/login");
  await signInHere(person, email, secret);
}

/** Signs in on the page that is shown, which knows where to continue. */
export async function signInHere(person: BrowserUser, email: string, secret: string = password): Promise<void> {
  const cookies = person.button("account.cookiesAccept");
  await person.waitFor(person.field("account.account"));
  if (await cookies.isVisible()) await cookies.click();
  await person.field("account.account").fill(email);
  await person.page.locator("input[name=password]").fill(secret);
  await person.button("account.signIn").click();
  await person.page.waitForURL((url) => url.pathname !== "/login");
}

/** Chromium's own authenticator in software: it knows its owner and agrees at once. */
export async function addVirtualAuthenticator({ context, page }: BrowserUser): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
