import { hasAccess, type Role } from "@arcada/contract/kernel/roles";
import { listCalls } from "@arcada/contract/order/order-list.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { screens } from "@arcada/contract/screens";
import { send } from "../../data/ask.ts";
import { currentAppearance } from "../../browser/appearance.ts";
import { setPageTitles } from "../../browser/page-title.ts";
import { loadTexts, getText } from "../../i18n/texts.ts";
import { formatOrderTitle } from "../../i18n/order-name.ts";
import { listNamedRecords, type NamedScreen, type PageTab } from "./page-tabs.ts";

type RecordTitles = readonly { id: string; title: string }[];

/**
 * Names the tabs that a reload brought back, as their pages would. The names come from the server, because no patient's
 * name is stored in the browser.
 */
export async function restoreTabNames(tags: readonly PageTab[], role: Role): Promise<void> {
  const requests = recordScreens.map(async ({ screen, call, loadTitles }) => {
    // The server rejects the whole request if one id is malformed, for example from a mistyped link.
    const own = listNamedRecords(tags).flatMap((record) =>
      record.screen === screen && isId.test(record.id) ? record.id : [],
    );
    if (own.length > 0 && hasAccess(call.access, role)) setTitles(screen, await loadTitles(own.join(",")));
  });
  // Without an answer the tabs have the titles of their screens.
  await Promise.allSettled(requests);
}

const recordScreens: readonly {
  screen: NamedScreen;
  call: { access: Parameters<typeof hasAccess>[0] };
  loadTitles: (ids: string) => Promise<RecordTitles>;
}[] = [
  { screen: "patientDetail", call: patientCalls.names, loadTitles: loadPatientTitles },
  { screen: "orderDetail", call: listCalls.names, loadTitles: loadOrderTitles },
  { screen: "sendPage", call: listCalls.names, loadTitles: loadOrderTitles },
];

async function loadPatientTitles(ids: string): Promise<RecordTitles> {
  const found = await send(patientCalls.names, { ids });
  return found.map(({ id, name: title }) => ({ id, title }));
}

async function loadOrderTitles(ids: string): Promise<RecordTitles> {
  const [found] = await Promise.all([send(listCalls.names, { ids }), loadTexts("order")]);
  const { teeth } = currentAppearance();
  return found.map((order) => ({ id: order.id, title: formatOrderTitle(getText, teeth, order) }));
}

const setTitles = (screen: NamedScreen, named: RecordTitles): void =>
  setPageTitles(Object.fromEntries(named.map(({ id, title }) => [`${screens[screen].path}?${id}`, title])));

const isId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
