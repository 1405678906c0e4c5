import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { institutionCalls, institutionRules } from "@arcada/contract/institution/institution.calls";
import { memberCalls } from "@arcada/contract/member/member.calls";
import { refetchTopic } from "../data/query-client.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { FormError } from "../ui/form/form-error.tsx";
import { SearchBox } from "../ui/form/search-box.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import classes from "./member.module.css";

const maxRemarkLength = 200;

/** Finds an institution by number or name and applies for membership. */
export function ApplyDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts("member");
  const [text, setText] = useState("");
  const [remark, setRemark] = useState("");
  const command = useCommand(memberCalls.apply, { shownBy: "form" });
  const apply = async (iid: string, institution: string) => {
    const outcome = await command.run({ iid, ...(remark.trim() && { remark }) });
    refetchTopic("member");
    if (!outcome) return;
    toast("success", t("member.applied", { institution }));
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("member.apply")}
      size="lg"
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t("member.applyText", { most: institutionRules.maxSearchResults })}
        </Text>
        <TextInput
          label={t("member.applyRemark")}
          maxLength={maxRemarkLength}
          value={remark}
          onChange={(event) => setRemark(event.currentTarget.value)}
        />
        <SearchBox value={text} onSearch={setText} label={t("member.searchInstitution")} focusOnOpen />
        <FormError text={command.refused?.show === "form" ? command.refused.msg : undefined} />
        {text !== "" && (
          <InstitutionResults text={text} busy={command.busy} onApply={(iid, name) => void apply(iid, name)} />
        )}
      </Stack>
    </Modal>
  );
}

interface InstitutionResultsProps {
  text: string;
  busy: boolean;
  onApply: (iid: string, name: string) => void;
}

function InstitutionResults({ text, busy, onApply }: InstitutionResultsProps) {
  const t = useTexts("member");
  const query = useCall(institutionCalls.search, { text }, { keepPrevious: true });
  return (
    <QueryResult of={query} empty={<EmptyState title={t("member.noSuch")} />}>
      {(found) => (
        <ul className={classes.list} aria-label={t("member.searchInstitution")}>
          {found.map((one) => (
            <Group component="li" key={one.id} className={classes.row} justify="space-between" wrap="nowrap">
              <div className={classes.words}>
                <Text size="sm" fw={600}>
                  {one.name}
                </Text>
                <Text size="xs" c="dimmed">
                  {[one.number, t(`common.institutionType.${one.type}`), one.address].filter(Boolean).join(" · ")}
                </Text>
              </div>
              <Button
                size="sm"
                disabled={busy}
                onClick={() => onApply(one.id, one.name)}
                aria-label={`${t("member.action.apply")}: ${one.name}`}
              >
                {t("member.action.apply")}
              </Button>
            </Group>
          ))}
        </ul>
      )}
    </QueryResult>
  );
}
