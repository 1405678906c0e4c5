import { Menu, Text } from "@mantine/core";
import {
  IconHelpCircle,
  IconInfoCircle,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconUserCircle,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import { loginPageCalls } from "@arcada/contract/account/login-page.calls";
import { sessionCalls } from "@arcada/contract/account/session.calls";
import type { UserInfo } from "@arcada/contract/account/user-info.schema";
import { findRole, roles } from "@arcada/contract/kernel/roles";
import { screens } from "@arcada/contract/screens";
import { ask } from "../../data/ask.ts";
import { useOpenScreen } from "../../browser/navigation.tsx";
import { signOut, useSignedInUser } from "../../session/current-user.ts";
import { switchSession } from "../../browser/session-lifecycle.ts";
import { formatRole } from "../../i18n/format-recorded-codes.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCallOnce } from "../../data/use-call-once.ts";
import { AnchoredMenu } from "../../ui/overlays/anchored-overlays.tsx";
import type { DropdownState } from "../../ui/overlays/use-lazy-dropdown.ts";
import { showOverlay } from "../overlays/overlay-state.ts";
import { ViewMenuItems } from "./view-menu-dropdown.tsx";
import classes from "./top-bar.module.css";

/** Returns the authorities to which a user may switch: all except the active one and the platform operator's. */
function listOtherAuthorities(user: Pick<UserInfo, "authorities" | "authorityId">): UserInfo["authorities"] {
  const others = user.authorities.filter(
    ({ authorityId }) => authorityId !== user.authorityId && authorityId !== roles.operator.authorityId,
  );
  return others.filter((one, at) => others.findIndex(({ authorityId }) => authorityId === one.authorityId) === at);
}

/** The signed-in person, the other roles of this person, and the ways to their settings and out. */
export function UserMenuDropdown({ isSmall, ...dropdown }: DropdownState & { isSmall: boolean }) {
  const t = useTexts("shell");
  const user = useSignedInUser();
  const go = useOpenScreen();
  const role = t(`common.role.${findRole(user.authorityId)}`);
  return (
    <AnchoredMenu position="bottom-end" width={260} {...dropdown}>
      <Menu.Dropdown className={classes.menu}>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {user.nickName}
          </Text>
          <Text size="xs" truncate>
            {user.phone ? `${user.countryCode ?? ""} ${user.phone}` : user.email}
          </Text>
          <Text size="xs">{role}</Text>
        </Menu.Label>
        <RoleItems user={user} />
        <Menu.Divider />
        <MenuEntry Icon={IconUserCircle} text={t("shell.userSettings")} onClick={() => go("profile")} />
        <MenuEntry Icon={IconLanguage} text={t("shell.language")} onClick={() => showOverlay("language")} />
        <MenuEntry Icon={IconHelpCircle} text={t("shell.guide")} onClick={() => go("help")} />
        <MenuEntry Icon={IconKeyboard} text={t("shell.keys.title")} onClick={() => showOverlay("keys")} />
        <CompanyEntry />
        {isSmall && <Menu.Divider />}
        {isSmall && <ViewMenuItems />}
        <Menu.Divider />
        <MenuEntry Icon={IconLogout} text={t("shell.logOut")} onClick={() => void signOut()} />
      </Menu.Dropdown>
    </AnchoredMenu>
  );
}

interface MenuEntryProps {
  Icon: ComponentType<{ size?: number; stroke?: number }>;
  text: string;
  onClick: () => void;
}
const MenuEntry = ({ Icon, text, onClick }: MenuEntryProps) => (
  <Menu.Item leftSection={<Icon size={18} stroke={1.6} />} onClick={onClick}>
    {text}
  </Menu.Item>
);

function CompanyEntry() {
  const t = useTexts("shell");
  const company = useCallOnce(loginPageCalls.welcome)?.company;
  if (!company) return null;
  // If the company has no website, the privacy policy names it and its contact.
  return (
    <Menu.Item
      component="a"
      href={company.site ?? screens.privacy.path}
      target="_blank"
      rel="noopener noreferrer"
      leftSection={<IconInfoCircle size={18} stroke={1.6} />}
    >
      {t("shell.company")}
    </Menu.Item>
  );
}

function RoleItems({ user }: { user: UserInfo }) {
  const t = useTexts("shell");
  const others = listOtherAuthorities(user);
  if (others.length === 0) return null;
  const switchRole = async (authorityId: number) => {
    const answer = await ask(sessionCalls.changeRole, { authorityId, uuid: user.uuid }).catch(() => null);
    if (answer) switchSession(answer.token);
  };
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{t("shell.switchRole")}</Menu.Label>
      {others.map(({ authorityId, role, institutionName }) => (
        <Menu.Item key={authorityId} onClick={() => void switchRole(authorityId)}>
          {formatRole(t, role)}
          {institutionName && (
            <Text size="xs" c="dimmed">
              {institutionName}
            </Text>
          )}
        </Menu.Item>
      ))}
    </>
  );
}
