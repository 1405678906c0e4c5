import { Menu, Text, UnstyledButton } from "@mantine/core";
import { IconBuildingHospital, IconCheck, IconChevronDown, IconTools } from "@tabler/icons-react";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { noInstitution } from "@arcada/contract/kernel/fields";
import { roles } from "@arcada/contract/kernel/roles";
import { ask } from "../../data/ask.ts";
import { useSignedInUser } from "../../session/current-user.ts";
import { switchSession } from "../../browser/session-lifecycle.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import classes from "./top-bar.module.css";

const kindIcons = { clinic: IconBuildingHospital, lab: IconTools } as const;

/** The active institution of this session, and the other institutions of the user. */
export function InstitutionSwitcher() {
  const t = useTexts("shell");
  const user = useSignedInUser();
  const { data } = useCall(institutionCalls.mine, { page: 1, pageSize: 999, status: 2 });
  const others = (data?.list ?? []).filter(({ iid }) => iid !== user.iid);
  const KindIcon = kindIcons[user.institution?.type ?? "clinic"];
  // Staff of the whole platform belong to no institution and need none.
  const isPlatformStaff = user.iid === noInstitution && user.authorityId !== roles.newUser.authorityId;
  const name = user.institution?.name ?? t("shell.noInstitution");
  const switchTo = async (iid: string) => {
    const answer = await ask(institutionCalls.switch, { iid }).catch(() => null);
    if (answer) switchSession(answer.token);
  };
  if (others.length === 0 && isPlatformStaff) return null;
  if (others.length === 0)
    return (
      <span className={classes.switch} title={name}>
        <KindIcon size={18} stroke={1.6} aria-hidden />
        <span className={classes.name}>{name}</span>
      </span>
    );
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <UnstyledButton className={classes.switch} aria-label={`${t("shell.switchInstitution")}: ${name}`}>
          <KindIcon size={18} stroke={1.6} aria-hidden />
          <span className={classes.name}>{name}</span>
          <IconChevronDown size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t("shell.switchInstitution")}</Menu.Label>
        {user.institution && <Menu.Item leftSection={<IconCheck size={16} />}>{user.institution.name}</Menu.Item>}
        {others.map((one) => {
          const Icon = kindIcons[one.type];
          return (
            <Menu.Item key={one.iid} leftSection={<Icon size={16} />} onClick={() => void switchTo(one.iid)}>
              {one.name}
              <Text size="xs" c="dimmed" className="arcada-figures">
                {one.number}
              </Text>
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
