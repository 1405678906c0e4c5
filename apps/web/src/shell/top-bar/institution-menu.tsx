import { Menu, Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import type { Output } from "@arcada/contract/kernel/call";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { ask } from "../../data/ask.ts";
import { useSignedInUser } from "../../session/current-user.ts";
import { switchSession } from "../../browser/session-lifecycle.ts";
import { useTexts } from "../../i18n/texts.ts";
import { AnchoredMenu } from "../../ui/overlays/anchored-overlays.tsx";
import type { DropdownState } from "../../ui/overlays/use-lazy-dropdown.ts";
import { institutionIcons } from "./institution-switcher.tsx";

type Institution = Output<typeof institutionCalls.mine>["list"][number];

/** The active institution and the others of the user, each a way to change to it. */
export function InstitutionMenu({ others, ...dropdown }: DropdownState & { others: readonly Institution[] }) {
  const t = useTexts("shell");
  const user = useSignedInUser();
  const switchTo = async (iid: string) => {
    const answer = await ask(institutionCalls.switch, { iid }).catch(() => null);
    if (answer) switchSession(answer.token);
  };
  return (
    <AnchoredMenu position="bottom-start" width={280} {...dropdown}>
      <Menu.Dropdown>
        <Menu.Label>{t("shell.switchInstitution")}</Menu.Label>
        {user.institution && <Menu.Item leftSection={<IconCheck size={16} />}>{user.institution.name}</Menu.Item>}
        {others.map((one) => {
          const Icon = institutionIcons[one.type];
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
    </AnchoredMenu>
  );
}
