import { Text, UnstyledButton } from "@mantine/core";
import { Suspense, lazy } from "react";
import { findRole } from "@arcada/contract/kernel/roles";
import { useSignedInUser } from "../../session/current-user.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { useLazyDropdown } from "../../ui/overlays/use-lazy-dropdown.ts";
import classes from "./top-bar.module.css";

const load = () => import("./user-menu-dropdown.tsx");
const UserMenuDropdown = lazy(async () => ({ default: (await load()).UserMenuDropdown }));

export function UserMenu({ isSmall }: { isSmall: boolean }) {
  const t = useTexts("shell");
  const user = useSignedInUser();
  const { button, dropdown, isUsed } = useLazyDropdown<HTMLButtonElement>(load, "menu");
  return (
    <>
      <UnstyledButton
        className={classes.user}
        aria-label={isSmall ? t("shell.userMenu", { name: user.nickName }) : undefined}
        {...button}
      >
        <Avatar name={user.nickName} imageUrl={user.headerImg} />
        {!isSmall && (
          <span>
            <Text size="sm" fw={600} lh={1.25} maw={140} truncate component="span" display="block">
              {user.nickName}
            </Text>
            <Text size="xs" c="dimmed" lh={1.25} component="span" display="block">
              {t(`common.role.${findRole(user.authorityId)}`)}
            </Text>
          </span>
        )}
      </UnstyledButton>
      {isUsed && (
        <Suspense>
          <UserMenuDropdown isSmall={isSmall} {...dropdown} />
        </Suspense>
      )}
    </>
  );
}
