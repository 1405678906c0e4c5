import { screens } from "@arcada/contract/screens";
import { demoWorkorder } from "../../demo/workorders.ts";
import type { BrowserUser } from "../../tests/e2e/support/browser-user.ts";
import type { GuidePicture } from "./guide-picture.ts";

const lab = "zhou@lab.example";
const afterSales = "service@arcada.example";
const operator = "operator@arcada.example";

/** The pictures of a laboratory's work, of after-sales and of the operator. */
export const laboratoryAndServicePictures: GuidePicture[] = [
  { name: "lab-today", account: lab, address: () => screens.today.path },
  {
    name: "lab-board",
    account: lab,
    address: () => screens.today.path,
    prepare: (person) => person.page.getByText(person.t("today.board"), { exact: true }).click(),
  },
  { name: "lab-order", account: lab, address: ({ newOrder }) => `${screens.orderDetail.path}?id=${newOrder}` },
  {
    name: "lab-submit",
    account: lab,
    address: ({ planOrder }) => `${screens.orderDetail.path}?id=${planOrder}`,
    prepare: (person) => person.button("order.action.submitScheme").first().click(),
  },
  {
    name: "lab-programs",
    account: lab,
    address: () => screens.labPrograms.path,
    prepare: writeLabWords,
  },
  { name: "clinics", account: afterSales, address: () => screens.afterSales.path },
  { name: "devices", account: afterSales, address: () => screens.devices.path },
  { name: "work-order", account: afterSales, address: () => `${screens.workorderDetail.path}?id=${demoWorkorder}` },
  { name: "feedback", account: afterSales, address: () => screens.feedbackList.path },
  { name: "platform", account: operator, address: () => screens.operator.path },
  { name: "organisations", account: operator, address: () => screens.organisations.path },
  { name: "cards", account: operator, address: () => screens.cards.path },
  { name: "health", account: operator, address: () => screens.systemHealth.path },
];

/** Writes two materials of a CAD program into the page without saving them. */
async function writeLabWords(person: BrowserUser): Promise<void> {
  const { page } = person;
  const words = [
    ["Katana STML", "order.material.zirconia"],
    ["e.max CAD", "order.material.glassCeramic"],
  ] as const;
  for (const [place, [word, material]] of words.entries()) {
    await person.button("labCase.settings.addMaterials").click();
    await person.field("labCase.settings.word").nth(place).fill(word);
    await person.field("labCase.settings.means").and(page.locator("input")).nth(place).click();
    await page.getByRole("option", { name: person.t(material), exact: true }).click();
  }
}
