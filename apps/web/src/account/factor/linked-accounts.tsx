import { Button, Group, Stack, Text } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { useState } from "react";
import { factorCalls } from "@arcada/contract/factor/factor.calls";
import { linkedIdentityCalls } from "@arcada/contract/factor/linked-identities.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { formatDay } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCommand } from "../../data/use-command.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import classes from "../profile/profile.module.css";
import { SectionHeading } from "./section-heading.tsx";

type Identity = Output<typeof factorCalls.list>["identities"][number];

/** Accounts of identity providers that can sign in here. */
export function LinkedAccounts({ identities }: { identities: Identity[] }) {
  const t = useTexts("factor");
  const [toUnlink, setToUnlink] = useState<Identity | null>(null);
  const remove = useCommand(linkedIdentityCalls.identityRemove);
  const unlink = async ({ issuer, subject }: Identity) => {
    if (await remove.run({ issuer, subject })) toast("success", t("factor.unlinked"));
    setToUnlink(null);
  };
  return (
    <Stack gap="sm">
      <SectionHeading title={t("factor.linked")} text={t("factor.linkedText")} />
      <div>
        {identities.map((one) => (
          <Group key={`${one.issuer} ${one.subject}`} justify="space-between" wrap="nowrap" className={classes.row}>
            <Group gap="sm" wrap="nowrap" miw={0}>
              <IconLink size={22} stroke={1.5} aria-hidden />
              <div className={classes.words}>
                <Text size="sm" fw={600} truncate>
                  {one.label}
                </Text>
                <Text size="xs" c="dimmed" truncate>
                  {one.email} · {t("factor.madeAt", { day: formatDay(one.linkedAt) })}
                </Text>
              </div>
            </Group>
            <Button variant="default" size="sm" onClick={() => setToUnlink(one)}>
              {t("factor.unlink")}
            </Button>
          </Group>
        ))}
      </div>
      {toUnlink && (
        <ConfirmDialog
          opened
          onClose={() => setToUnlink(null)}
          onConfirm={() => void unlink(toUnlink)}
          title={t("factor.unlinkTitle", { label: toUnlink.label })}
          text={t("factor.unlinkText")}
          confirm={t("factor.unlink")}
          busy={remove.busy}
        />
      )}
    </Stack>
  );
}
