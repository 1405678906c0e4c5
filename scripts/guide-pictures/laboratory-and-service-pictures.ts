import { screens } from "@arcada/contract/screens";
import { demoWorkorder } from "../../demo/workorders.ts";
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
  { name: "clinics", account: afterSales, address: () => screens.afterSales.path },
  { name: "devices", account: afterSales, address: () => screens.devices.path },
  { name: "work-order", account: afterSales, address: () => `${screens.workorderDetail.path}?id=${demoWorkorder}` },
  { name: "feedback", account: afterSales, address: () => screens.feedbackList.path },
  { name: "platform", account: operator, address: () => screens.operator.path },
  { name: "organisations", account: operator, address: () => screens.organisations.path },
  { name: "cards", account: operator, address: () => screens.cards.path },
  { name: "health", account: operator, address: () => screens.systemHealth.path },
];
