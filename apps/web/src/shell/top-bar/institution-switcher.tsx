import { UnstyledButton } from "@mantine/core";
import { IconBuildingHospital, IconChevronDown, IconTools } from "@tabler/icons-react";
import { Suspense, lazy } from "react";
import { ownInstitutionCalls } from "@arcada/contract/institution/own-institutions.calls";
import { noInstitution } from "@arcada/contract/kernel/fields";
import { roles } from "@arcada/contract/kernel/roles";
import { useSignedInUser } from "../../session/current-user.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { useLazyDropdown } from "../../ui/overlays/use-lazy-dropdown.ts";
import classes from "./top-bar.module.css";

const load = () => import("./institution-menu.tsx");
const InstitutionMenu = lazy(async () => ({ default: (await load()).InstitutionMenu }));

export const institutionIcons = { clinic: IconBuildingHospital, lab: IconTools } as const;

/** The active institution of this session, and the other institutions of the user. */
export function InstitutionSwitcher() {
  const t = useTexts("shell");
  const user = useSignedInUser();
  const { button, dropdown, isUsed } = useLazyDropdown<HTMLButtonElement>(load, "menu");
  const { data } = useCall(ownInstitutionCalls.mine, { page: 1, pageSize: 999, status: 2 });
  const others = (data?.list ?? []).filter(({ iid }) => iid !== user.iid);
  const KindIcon = institutionIcons[user.institution?.type ?? "clinic"];
  // Staff of the whole platform belong to no institution and need none.
  const isPlatformStaff = user.iid === noInstitution && user.authorityId !== roles.newUser.authorityId;
  const name = user.institution?.name ?? t("shell.noInstitution");
  if (others.length === 0 && isPlatformStaff) return null;
  if (others.length === 0)
    return (
      <span className={classes.switch} title={name}>
        <KindIcon size={18} stroke={1.6} aria-hidden />
        <span className={classes.name}>{name}</span>
      </span>
    );
  return (
    <>
      <UnstyledButton className={classes.switch} aria-label={`${t("shell.switchInstitution")}: ${name}`} {...button}>
        <KindIcon size={18} stroke={1.6} aria-hidden />
        <span className={classes.name}>{name}</span>
        <IconChevronDown size={16} aria-hidden />
      </UnstyledButton>
      {isUsed && (
        <Suspense>
          <InstitutionMenu others={others} {...dropdown} />
        </Suspense>
      )}
    </>
  );
}
