import { screens } from "@arcada/contract/screens";
import type { BrowserUser } from "../../tests/e2e/support/browser-user.ts";
import type { GuidePicture } from "./guide-picture.ts";

const account = "lin@clinic.example";
const patientTab =
  (tab: string): GuidePicture["address"] =>
  ({ patient }) =>
    `${screens.patientDetail.path}?id=${patient}&tab=${tab}`;

/** The pictures of a clinic's work. */
export const clinicPictures: GuidePicture[] = [
  { name: "sign-in", address: () => screens.login.path },
  { name: "profile", account, address: () => screens.profile.path },
  { name: "clinic-today", account, address: () => screens.today.path },
  { name: "search", account, address: () => screens.patientList.path, prepare: searchPatient },
  {
    name: "help",
    account,
    address: () => screens.patientList.path,
    prepare: (person) => person.button("shell.help").click(),
  },
  {
    name: "patient-list",
    account,
    address: () => screens.patientList.path,
    point: (person) => person.button("patient.new"),
  },
  { name: "new-patient", account, address: () => `${screens.patientList.path}?new=1` },
  { name: "patient-images", account, address: patientTab("images") },
  {
    name: "photo-series",
    account,
    address: patientTab("images"),
    prepare: (person) => person.button("patient.photos.start").click(),
  },
  { name: "inbox", account, address: () => screens.inbox.path },
  {
    name: "panorama",
    account,
    address: ({ panorama }) => `${screens.viewer.path}?study=${panorama}`,
    drawsImages: true,
  },
  { name: "cbct", account, address: ({ ct }) => `${screens.ctViewer.path}?study=${ct}`, drawsImages: true },
  {
    name: "cbct-implant",
    account,
    address: ({ ct }) => `${screens.ctViewer.path}?study=${ct}`,
    prepare: (person) => chooseMode(person, "viewer.mode.implant"),
    drawsImages: true,
  },
  {
    name: "cephalogram",
    account,
    address: ({ ceph }) => `${screens.cephViewer.path}?study=${ceph}`,
    drawsImages: true,
  },
  {
    name: "compare",
    account,
    address: ({ patient }) => `${screens.compare.path}?patient=${patient}`,
    drawsImages: true,
  },
  { name: "chart", account, address: patientTab("chart") },
  {
    name: "analysis",
    account,
    address: ({ analysis }) => `${screens.analysis.path}?id=${analysis}`,
    drawsImages: true,
  },
  { name: "report", account, address: ({ report }) => `${screens.reportDetail.path}?id=${report}` },
  {
    name: "share",
    account,
    address: ({ panorama }) => `${screens.viewer.path}?study=${panorama}`,
    prepare: (person) => person.button("share.action.share").click(),
    drawsImages: true,
  },
  { name: "order-form", account, address: ({ patient }) => `${screens.sendPage.path}?patientId=${patient}` },
  { name: "design-review", account, address: ({ designReview }) => `${screens.orderDetail.path}?id=${designReview}` },
  {
    name: "messages",
    account,
    address: ({ designReview }) => `${screens.orderDetail.path}?id=${designReview}`,
    prepare: (person) => person.field("order.detail.messageHint").scrollIntoViewIfNeeded(),
    point: (person) => person.field("order.detail.messageHint"),
  },
  {
    name: "remake",
    account,
    address: ({ completedOrder }) => `${screens.orderDetail.path}?id=${completedOrder}`,
    prepare: (person) => person.button("forward.remake").click(),
  },
  { name: "equipment", account, address: () => screens.equipment.path },
  { name: "invite", account, address: () => `${screens.member.path}?new=1` },
  { name: "relations", account, address: () => screens.relationWeb.path },
  { name: "organisation", account, address: () => screens.institution.path },
  { name: "dashboard", account, address: () => screens.dashboard.path },
  { name: "capacity", account, address: () => screens.myCapacity.path },
  { name: "export", account, address: () => screens.leaving.path },
  { name: "open-interface", account, address: () => screens.openInterface.path },
];

async function searchPatient(person: BrowserUser): Promise<void> {
  await person.page.keyboard.press("Control+k");
  await person.page.getByRole("dialog").getByRole("combobox").fill("zhang");
  await person.page.getByRole("dialog").getByRole("option").first().waitFor();
}

/** The modes are a menu at the width of the pictures. */
async function chooseMode(person: BrowserUser, key: string): Promise<void> {
  await person.page.getByRole("toolbar").locator("[aria-haspopup=menu]").first().click();
  await person.page.getByRole("menuitem", { name: person.t(key), exact: true }).click();
}
