import { mayRole, type Role } from "@arcada/contract/kernel/roles";
import { listCalls } from "@arcada/contract/order/list.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { screens, type ScreenName } from "@arcada/contract/screens";
import { send } from "../kernel/ask.ts";
import { namePages } from "../kernel/page-title.ts";
import { loadTexts, say } from "../kernel/texts.ts";
import type { Tag } from "./tags.ts";

type Named = readonly { id: string; title: string }[];

/**
 * Names the tabs that a reload brought back, as their pages would. The names come from the server, because no patient's
 * name is stored in the browser.
 */
export async function nameTags(tags: readonly Tag[], role: Role): Promise<void> {
  const asked = places.map(async ({ screen, call, nameThem }) => {
    const own = tags.flatMap(({ place }) => idAt(screen, place) ?? []);
    if (own.length > 0 && mayRole(call.access, role)) name(screen, await nameThem(own.join(",")));
  });
  // Without an answer the tabs have the titles of their screens.
  await Promise.allSettled(asked);
}

const places: readonly {
  screen: ScreenName;
  call: { access: Parameters<typeof mayRole>[0] };
  nameThem: (ids: string) => Promise<Named>;
}[] = [
  { screen: "patientDetail", call: patientCalls.names, nameThem: patientsNamed },
  { screen: "orderDetail", call: listCalls.numbers, nameThem: (ids) => ordersNamed(ids, "order.detail.title") },
  { screen: "sendPage", call: listCalls.numbers, nameThem: (ids) => ordersNamed(ids, "order.form.editTitle") },
];

async function patientsNamed(ids: string): Promise<Named> {
  const found = await send(patientCalls.names, { ids });
  return found.map(({ id, name: title }) => ({ id, title }));
}

async function ordersNamed(ids: string, key: string): Promise<Named> {
  const [found] = await Promise.all([send(listCalls.numbers, { ids }), loadTexts("order")]);
  return found.map(({ id, number }) => ({ id, title: say(key, { number }) }));
}

const name = (screen: ScreenName, named: Named): void =>
  namePages(Object.fromEntries(named.map(({ id, title }) => [`${screens[screen].path}?${id}`, title])));

// The server rejects the whole request if one id is malformed, for example from a mistyped link.
const isId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
function idAt(screen: ScreenName, place: string): string | undefined {
  const [path, id] = place.split("?");
  return path === screens[screen].path && id && isId.test(id) ? id : undefined;
}
