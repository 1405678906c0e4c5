import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { UserInfo } from "@arcada/contract/account/user-info.schema";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { findRole } from "@arcada/contract/kernel/roles";
import { ask } from "../../data/ask.ts";
import { switchSession } from "../../browser/session-lifecycle.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { Section } from "../../ui/page.tsx";
import { EmptyState } from "../../ui/page-states.tsx";
import { CreateInstitution } from "../registration/create-institution.tsx";
import classes from "./profile.module.css";

/** The organisations in which the user works: switch to one, or create another. */
export function MyInstitutions({ user }: { user: UserInfo }) {
  const t = useTexts("account", "institution");
  const query = useCall(institutionCalls.mine, { page: 1, pageSize: 999, status: 2 });
  const [isCreating, setCreating] = useState(false);
  const switchTo = async (iid: string) => {
    const answer = await ask(institutionCalls.switch, { iid }).catch(() => null);
    if (answer) switchSession(answer.token);
  };
  const create = (
    <Button leftSection={<IconPlus size={18} />} variant="light" onClick={() => setCreating(true)}>
      {t("account.createInstitution")}
    </Button>
  );
  return (
    <Section title={t("account.myInstitutions")} actions={create}>
      <QueryResult
        of={query}
        isEmpty={({ list }) => list.length === 0}
        empty={<EmptyState title={t("shell.noInstitution")} text={t("account.startText")} />}
      >
        {({ list }) => (
          <Stack gap={0}>
            {list.map((one) => (
              <Group key={one.iid} justify="space-between" className={classes.row} wrap="nowrap">
                <div className={classes.words}>
                  <Text size="sm" fw={600} truncate>
                    {one.name}
                  </Text>
                  <Text size="xs" c="dimmed" className="arcada-figures">
                    {t(`common.institutionType.${one.type}`)} · {one.number} ·{" "}
                    {t(`common.role.${findRole(one.authorityId)}`)}
                  </Text>
                </div>
                {one.iid === user.iid ? (
                  <Badge variant="light">{t("account.current")}</Badge>
                ) : (
                  <Button variant="default" size="sm" onClick={() => void switchTo(one.iid)}>
                    {t("account.switchTo")}
                  </Button>
                )}
              </Group>
            ))}
          </Stack>
        )}
      </QueryResult>
      <CreateInstitution opened={isCreating} onClose={() => setCreating(false)} user={user} />
    </Section>
  );
}
