import { Anchor, Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Share } from "@arcada/contract/share/share.calls";
import type { ShareState } from "@arcada/contract/share/share.lifecycle";
import { formatTimestamp } from "../i18n/format.ts";
import { ScreenLink } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { ShareLog } from "./share-log.tsx";
import { ShareActionDialog, isConfirmedAction, type ConfirmedAction } from "./share-action-dialog.tsx";

const stateColours: Record<ShareState, string> = { active: "teal", locked: "red", cancelled: "gray", expired: "gray" };

/** Each link with one button for every action that the server permits to the user. */
export function ShareTable({ shares }: { shares: readonly Share[] }) {
  const t = useTexts("share", "study");
  const [pendingAction, setPendingAction] = useState<{ share: Share; chosenAction: ConfirmedAction } | null>(null);
  const [logShare, setLogShare] = useState<Share | null>(null);
  const button = (share: Share, name: ConfirmedAction | "log", onClick: () => void) => (
    <Button
      key={name}
      size="sm"
      variant="default"
      onClick={onClick}
      aria-label={`${t(`share.action.${name}`)}: ${share.label}`}
    >
      {t(`share.action.${name}`)}
    </Button>
  );
  return (
    <>
      <DataTable
        label={t("share.title")}
        columns={buildColumns(t)}
        rows={shares}
        rowKey={({ id }) => id}
        actionsTitle={t("common.actions")}
        actions={(share) => [
          button(share, "log", () => setLogShare(share)),
          ...share.actions
            .filter(isConfirmedAction)
            .map((chosenAction) => button(share, chosenAction, () => setPendingAction({ share, chosenAction }))),
        ]}
      />
      {pendingAction && <ShareActionDialog {...pendingAction} onClose={() => setPendingAction(null)} />}
      <ShareLog share={logShare} onClose={() => setLogShare(null)} />
    </>
  );
}

const buildColumns = (t: Translate): Column<Share>[] => [
  {
    key: "label",
    title: t("share.column.label"),
    narrow: "head",
    show: (share) => (
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {share.label}
        </Text>
        <Badge variant="light" color={stateColours[share.state]}>
          {t(`share.state.${share.state}`)}
        </Badge>
      </Group>
    ),
  },
  { key: "what", title: t("share.column.what"), show: (share) => <SharedTarget share={share} /> },
  {
    key: "access",
    title: t("share.column.access"),
    show: (share) => <AccessFacts share={share} />,
  },
  {
    key: "created",
    title: t("share.column.created"),
    show: ({ createdBy, madeAt, createdAt }) => (
      <Stack gap={2}>
        <Text size="sm">{[createdBy, madeAt].filter(Boolean).join(" · ")}</Text>
        <Text size="xs" c="dimmed" className="arcada-figures">
          {formatTimestamp(createdAt)}
        </Text>
      </Stack>
    ),
  },
  {
    key: "expires",
    title: t("share.column.expires"),
    show: ({ expiresAt, endedAt }) => <span className="arcada-figures">{formatTimestamp(endedAt ?? expiresAt)}</span>,
  },
  {
    key: "opens",
    title: t("share.column.opens"),
    show: ({ opens, lastOpenAt }) =>
      opens === 0
        ? t("share.neverOpened")
        : t("share.openedTimes", { times: String(opens), time: formatTimestamp(lastOpenAt) }),
  },
];

function AccessFacts({ share: { factor, email, nameless, mayDownload } }: { share: Share }) {
  const t = useTexts("share");
  return (
    <Stack gap={2}>
      <Text size="sm">{t(`share.factor.${factor}`)}</Text>
      {email && (
        <Text size="xs" c="dimmed">
          {email}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {[nameless && t("share.nameless"), mayDownload && t("share.mayDownload")].filter(Boolean).join(" · ")}
      </Text>
    </Stack>
  );
}

function SharedTarget({ share: { study, order, thingId, patientId, patientName, ...share } }: { share: Share }) {
  const t = useTexts("share", "study");
  const sharedParts = [
    share.pictures && t("share.withPictures"),
    share.revisions > 0 && t("share.withRevisions", { count: share.revisions }),
  ].filter(Boolean);
  return (
    <Stack gap={2}>
      {study ? (
        <Anchor component={ScreenLink} screen="viewer" search={{ study: thingId }} size="sm">
          {t(`study.kind.${study.kind}`)}
        </Anchor>
      ) : order ? (
        <Anchor component={ScreenLink} screen="orderDetail" search={{ id: thingId }} size="sm">
          {t("share.order", { number: order.number })}
        </Anchor>
      ) : (
        <Text size="sm">{t("share.removed")}</Text>
      )}
      {sharedParts.length > 0 && (
        <Text size="xs" c="dimmed">
          {sharedParts.join(" · ")}
        </Text>
      )}
      {patientId && (
        <Anchor component={ScreenLink} screen="patientDetail" search={{ id: patientId }} size="xs" c="dimmed">
          {patientName}
        </Anchor>
      )}
    </Stack>
  );
}
