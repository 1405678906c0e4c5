import type { BrowserUser } from "./browser-user.ts";

/** The asking side finds the other by its number and asks. */
export async function requestRelation(person: BrowserUser, number: string): Promise<void> {
  await person.goTo("/relationWeb/page");
  await person.button("relation.ask").first().click();
  const dialog = person.page.getByRole("dialog");
  await dialog.getByRole("searchbox").fill(number);
  await dialog.getByRole("button", { name: person.t("relation.send"), exact: true }).click();
  await person.waitFor(person.text("relation.sent"));
  await dialog.waitFor({ state: "hidden" });
}

/** The asked side has the page open already: the request comes by itself. */
export async function acceptRelation(person: BrowserUser, from: string): Promise<void> {
  await person.waitFor(person.page.getByText(from, { exact: true }));
  await person.button("relation.action.accept").click();
  await person.waitFor(person.text("relation.done.accept"));
}
