import { Alert, Button, Group, Text } from "@mantine/core";
import { IconCircleCheck, IconCircleX, IconHelpCircle } from "@tabler/icons-react";
import { operatorCalls } from "@arcada/contract/operator/operator.calls";
import { formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";

/**
 * The integrity of the audit log: the result of the last check along its hash chain, and a button that starts another.
 */
export function AuditChecks() {
  const t = useTexts("operator");
  const { data } = useCall(operatorCalls.auditChecks, {}, { pollMs: 5000 });
  const { data: head } = useCall(operatorCalls.auditHead, {}, { pollMs: 60_000 });
  const check = useCommand(operatorCalls.checkAudit);
  if (!data) return null;
  const last = data.find(({ finishedAt }) => finishedAt !== null);
  const isRunning = data[0]?.finishedAt === null;
  const state = !last ? "unknown" : last.broken === null ? "good" : "bad";
  const { Icon, colour } = appearanceByState[state];
  const startCheck = async () => {
    if (await check.run({})) toast("success", t("operator.audit.checkBegun"));
  };
  return (
    <Alert color={colour} variant="light" icon={<Icon size={18} aria-hidden />}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {t(state === "bad" ? `operator.audit.fault.${last?.fault ?? "altered"}` : `operator.audit.chain.${state}`, {
            rows: last?.rows ?? 0,
            row: last?.broken ?? 0,
            time: formatTimestamp(last?.finishedAt),
          })}
        </Text>
        <Button size="xs" variant="default" loading={check.busy || isRunning} onClick={() => void startCheck()}>
          {t("operator.audit.check")}
        </Button>
      </Group>
      {head && (
        <Text size="xs" mt="xs" style={{ overflowWrap: "anywhere" }}>
          {t("operator.audit.head", { head: `${head.rows}:${head.hash}`, time: formatTimestamp(head.at) })}
        </Text>
      )}
    </Alert>
  );
}

const appearanceByState = {
  good: { Icon: IconCircleCheck, colour: "teal" },
  bad: { Icon: IconCircleX, colour: "red" },
  unknown: { Icon: IconHelpCircle, colour: "gray" },
} as const;
