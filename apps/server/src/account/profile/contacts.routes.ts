import { contactCalls } from "@arcada/contract/account/contacts.calls";
import { routes } from "../../platform/http/serve-calls.ts";
import { parseTarget } from "../account.store.ts";
import { requireReachable } from "../contact-channel.ts";
import { readUserInfo } from "../user-info.ts";
import { bindContact, verifyBoundContact, unbindContact } from "./change-contact.ts";

export const contactRoutes = routes(contactCalls, {
  setContactInfo: async (input, context) => {
    await bindContact(context, requireReachable(parseTarget(input.account, input.countryCode)), input);
    return readUserInfo(context);
  },
  checkOriginalInfo: async (input, context) => ({ ticket: await verifyBoundContact(context, input) }),
  unbindContactInfo: async (input, context) => {
    await unbindContact(context, input);
    return readUserInfo(context);
  },
});
