import {
  IconClipboardPlus,
  IconHelpCircle,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconPalette,
  IconPhotoUp,
  IconSun,
  IconUserPlus,
  IconUsersPlus,
} from "@tabler/icons-react";
import { hasAccess } from "@arcada/contract/kernel/roles";
import type { Access, Role } from "@arcada/contract/kernel/roles";
import { memberCalls } from "@arcada/contract/member/member.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { screens } from "@arcada/contract/screens";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { changeAppearance } from "../../browser/appearance.ts";
import type { Translate } from "../../i18n/texts.ts";
import { showOverlay } from "../overlays/overlay-state.ts";
import { signOut } from "../../session/current-user.ts";
import type { SearchEntry } from "./search-entry.ts";

interface ActionReader {
  role: Role | undefined;
  t: Translate;
  isDark: boolean;
}

/** An action with the call or the screen that permits it. */
type Action = Omit<SearchEntry, "detail"> & { access: Access };

/** The actions of a role, wherever it is. */
export const listActions = ({ role, t, isDark }: ActionReader): SearchEntry[] =>
  toEntries(role, [
    {
      id: "newPatient",
      access: patientCalls.create.access,
      title: t("shell.search.newPatient"),
      Icon: IconUserPlus,
      target: { screen: "patientList", search: { new: "1" } },
    },
    {
      id: "invite",
      access: memberCalls.invite.access,
      title: t("shell.search.invite"),
      Icon: IconUsersPlus,
      target: { screen: "member", search: { new: "1" } },
    },
    {
      id: "language",
      access: "signedIn",
      title: t("shell.search.language"),
      Icon: IconLanguage,
      target: () => showOverlay("language"),
    },
    {
      id: "dark",
      access: "signedIn",
      title: t(isDark ? "shell.search.light" : "shell.search.dark"),
      Icon: isDark ? IconSun : IconMoon,
      target: () => changeAppearance({ dark: !isDark }),
    },
    {
      id: "settings",
      access: "signedIn",
      title: t("shell.settings"),
      Icon: IconPalette,
      target: () => showOverlay("settings"),
    },
    {
      id: "guide",
      access: "signedIn",
      title: t("shell.guide"),
      Icon: IconHelpCircle,
      target: { screen: "help" },
    },
    {
      id: "keys",
      access: "signedIn",
      title: t("shell.keys.title"),
      Icon: IconKeyboard,
      target: () => showOverlay("keys"),
    },
    {
      id: "signOut",
      access: "signedIn",
      title: t("shell.logOut"),
      Icon: IconLogout,
      target: () => void signOut(),
    },
  ]);

/** The actions for the first patient that was found. */
export const listPatientActions = (
  { role, t }: ActionReader,
  { id, name }: { id: string; name: string },
): SearchEntry[] =>
  toEntries(role, [
    {
      id: "newOrder",
      access: screens.sendPage.access,
      title: t("shell.search.newOrder", { name }),
      Icon: IconClipboardPlus,
      target: { screen: "sendPage", search: { patientId: id } },
    },
    {
      id: "upload",
      access: uploadJobCalls.open.access,
      title: t("shell.search.upload", { name }),
      Icon: IconPhotoUp,
      target: { screen: "patientDetail", search: { id, tab: "images" } },
    },
  ]);

const toEntries = (role: Role | undefined, actions: readonly Action[]): SearchEntry[] =>
  actions
    .filter(({ access }) => hasAccess(access, role))
    .map(({ access: _, ...action }) => ({ ...action, id: `action-${action.id}`, detail: "" }));
