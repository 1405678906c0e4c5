import { Alert, Anchor, Stack, Text } from "@mantine/core";
import { IconArrowsDiff } from "@tabler/icons-react";
import type { Order } from "@arcada/contract/order/order.calls";
import { formatTimestamp } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import classes from "../detail/order-detail.module.css";
import { PrescriptionDiff } from "./prescription-diff.tsx";

/** The sender's change proposal. Both sides see it until the lab has decided. */
export function ProposalNote({ order }: { order: Order }) {
  const t = useTexts("order", "forward");
  const { proposal } = order;
  if (!proposal) return null;
  return (
    <Alert icon={<IconArrowsDiff aria-hidden />} title={t("forward.proposal")} color="blue">
      <Stack gap="xs">
        <Text size="sm">{t("forward.proposed", { who: proposal.who, time: formatTimestamp(proposal.time) })}</Text>
        <ProposalDiff order={order} />
      </Stack>
    </Alert>
  );
}

/** The proposal field by field: current and proposed values. */
export function ProposalDiff({ order: { proposal, prescription } }: { order: Order }) {
  const t = useTexts("order", "forward");
  if (!proposal) return null;
  return (
    <Stack gap="sm">
      {proposal.text && (
        <Text size="sm" className={classes.said}>
          {proposal.text}
        </Text>
      )}
      <PrescriptionDiff
        before={prescription}
        after={{ ...prescription, ...proposal.prescription }}
        fields={proposal.changed}
      />
      {proposal.files.length > 0 && (
        <div>
          <Text size="xs" c="dimmed">
            {t("forward.newFiles")}
          </Text>
          {proposal.files.map((file) => (
            <Text key={file.id} size="sm">
              {file.url ? <Anchor href={file.url}>{file.name}</Anchor> : file.name}
            </Text>
          ))}
        </div>
      )}
    </Stack>
  );
}
