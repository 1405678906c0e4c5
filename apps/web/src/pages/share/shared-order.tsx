import { Button, Group, Modal, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { IconDownload, IconLogout } from "@tabler/icons-react";
import { useState } from "react";
import {
  sharedOrderCalls,
  type SharedFile,
  type SharedOrder as Order,
} from "@arcada/contract/order/shared-order.calls";
import { shareCalls } from "@arcada/contract/share/share.calls";
import { showTimeWithZone } from "../../i18n/format.ts";
import { useTexts, type Translate } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { useCommand } from "../../data/use-command.ts";
import { PrescriptionView } from "../../order/prescription/prescription-view.tsx";
import { Watermark } from "../../share/watermark.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { BusyState } from "../../ui/busy-state.tsx";
import { Logo } from "../../ui/logo.tsx";
import { Section } from "../../ui/page.tsx";
import { ModelScene } from "../../viewer/model/lazy-model-viewer.tsx";
import classes from "./shared-order.module.css";
import { SharedStudy, type GuestSession } from "./shared-study.tsx";
import type { SceneModel } from "../../viewer/model/scene-model.ts";

const pollMs = 3000;

/** The order that a link shows: prescription, models, and the included images and revisions. */
export function SharedOrder({ guestSession, onLeave }: { guestSession: GuestSession; onLeave: () => void }) {
  const [opened, setOpened] = useState<SharedFile | null>(null);
  const [isReady, setReady] = useState(false);
  const query = useCall(sharedOrderCalls.order, { id: guestSession.thingId }, isReady ? {} : { pollMs: pollMs });
  // Streaming copies are made at the first request.
  if (!isReady && query.data?.files.every(({ format, glb }) => format === null || glb)) setReady(true);
  if (opened?.studyId)
    return (
      <SharedStudy
        guestSession={guestSession}
        studyId={opened.studyId}
        first={opened.id === opened.studyId ? undefined : opened.id}
        onLeave={onLeave}
        onBack={() => setOpened(null)}
      />
    );
  return (
    <QueryResult of={query} loading={<BusyState />}>
      {(order) => (
        <>
          <Head order={order} guestSession={guestSession} onLeave={onLeave} />
          <main className={classes.page}>
            <Stack gap="lg">
              <PrescriptionView order={order} />
              <ModelViewer
                order={order}
                renew={async (id) => {
                  const fresh = (await query.refetch()).data?.files.find((file) => file.id === id);
                  return fresh?.glb ? { url: "", glb: fresh.glb } : null;
                }}
              />
              <Revisions order={order} />
              <Images order={order} onOpen={setOpened} />
            </Stack>
          </main>
          <WatermarkOverlay guestSession={guestSession} />
          {opened && <ImageDialog file={opened} guestSession={guestSession} onClose={() => setOpened(null)} />}
        </>
      )}
    </QueryResult>
  );
}

function WatermarkOverlay({ guestSession }: { guestSession: GuestSession }) {
  const t = useTexts("share");
  return (
    <div className={classes.over} aria-hidden>
      <Watermark
        text={`${t("share.visitor.watermark", { label: guestSession.label })} · ${guestSession.institution}`}
      />
    </div>
  );
}

function Head({ order, guestSession, onLeave }: { order: Order; guestSession: GuestSession; onLeave: () => void }) {
  const t = useTexts("share");
  const download = useCommand(sharedOrderCalls.orderDownload);
  const leave = useCommand(shareCalls.leave);
  const startDownload = async () => {
    const done = await download.run({ id: order.id });
    if (done) location.assign(done.data.url);
  };
  const patientLabel = guestSession.nameless ? t("share.nameless") : order.patientName;
  return (
    <header className={classes.head}>
      <Logo iconOnly />
      <div className={classes.what}>
        <Title order={1} size="h3">
          {t("share.order", { number: order.number })} · {patientLabel}
        </Title>
        <Text size="sm" c="dimmed">
          {guestSession.institution} ·{" "}
          <span className={classes.until}>
            {t("share.visitor.until", { time: showTimeWithZone(guestSession.until) })}
          </span>
        </Text>
      </div>
      <Group gap="sm">
        {guestSession.mayDownload && order.files.length > 0 && (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={download.busy}
            onClick={() => void startDownload()}
          >
            {t("share.visitor.download")}
          </Button>
        )}
        <Button
          variant="subtle"
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => void leave.run(null).then(onLeave)}
        >
          {t("share.visitor.leave")}
        </Button>
      </Group>
    </header>
  );
}

interface ModelsProps {
  order: Order;
  renew: (id: string) => Promise<Pick<ModelSet["models"][number], "url" | "glb"> | null>;
}
function ModelViewer({ order, renew }: ModelsProps) {
  const t = useTexts("share", "order");
  const [shown, setShown] = useState<string | null>(null);
  const sets = groupModels(order, t);
  const set = sets.find(({ id }) => id === shown) ?? sets[0];
  if (!order.files.some(({ format }) => format !== null)) return null;
  return (
    <Section title={t("order.detail.models")}>
      {set ? (
        <Stack gap="sm">
          {sets.length > 1 && (
            <div className={classes.sets}>
              <SegmentedControl
                size="xs"
                aria-label={t("order.detail.models")}
                data={sets.map(({ id, label }) => ({ value: id, label }))}
                value={set.id}
                onChange={setShown}
              />
            </div>
          )}
          <div className={classes.scene}>
            <ModelScene key={set.id} models={set.models} renew={renew} />
          </div>
        </Stack>
      ) : (
        <Text size="sm" c="dimmed" role="status">
          {t("share.visitor.modelsPreparing")}
        </Text>
      )}
    </Section>
  );
}

interface ModelSet {
  id: string;
  label: string;
  models: SceneModel[];
}

/**
 * The models that are shown together: the scans, then each revision on the scans. Visitors see the streaming copies,
 * not the source files.
 */
function groupModels({ files, revisions }: Pick<Order, "files" | "revisions">, t: Translate): ModelSet[] {
  const findModels = (revision: string | null) =>
    files
      .filter(({ revisionId }) => revisionId === revision)
      .flatMap(({ id, name, format, glb, role }): SceneModel[] =>
        format && glb ? [{ id, name, format, glb, url: "", jaw: getJaw(role) }] : [],
      );
  const scans = findModels(null);
  const prescribed = scans.length > 0 ? [{ id: "scans", label: t("order.detail.modelsOf"), models: scans }] : [];
  return [
    ...prescribed,
    ...revisions
      .map(({ id, kind, number }) => ({ id, label: t(`order.detail.${kind}Number`, { number }), own: findModels(id) }))
      .filter(({ own }) => own.length > 0)
      .map(({ own, ...set }) => ({ ...set, models: [...own, ...scans] })),
  ];
}

const getJaw = (role: string): SceneModel["jaw"] =>
  role === "upperScan" ? "upper" : role === "lowerScan" ? "lower" : null;

function Revisions({ order: { revisions } }: { order: Order }) {
  const t = useTexts("order");
  const withText = revisions.filter(({ text }) => text);
  if (withText.length === 0) return null;
  return (
    <Section title={t("order.detail.revisions")}>
      <Stack gap="md">
        {withText.map(({ id, kind, number, state, text }) => (
          <article key={id}>
            <Text size="sm" fw={600}>
              {t(`order.detail.${kind}Number`, { number })} · {t(`order.revisionState.${state}`)}
            </Text>
            <Text size="sm" className={classes.said}>
              {text}
            </Text>
          </article>
        ))}
      </Stack>
    </Section>
  );
}

function Images({ order, onOpen }: { order: Order; onOpen: (file: SharedFile) => void }) {
  const t = useTexts("share", "order");
  const images = order.files.filter(({ format }) => format === null);
  if (images.length === 0) return null;
  return (
    <Section title={t("share.visitor.pictures")}>
      <ul className={classes.pictures}>
        {images.map((file) => (
          <li key={file.id}>
            <button type="button" className={classes.picture} onClick={() => onOpen(file)}>
              {file.thumbnailUrl ? (
                <img src={file.thumbnailUrl} alt="" loading="lazy" />
              ) : (
                <span className={classes.blank} aria-hidden />
              )}
              <Text component="span" size="sm" truncate display="block">
                {file.name}
              </Text>
              <Text component="span" size="xs" c="dimmed" display="block">
                {t(`order.role.${file.role}`)}
              </Text>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** An image that belongs to no study. */
function ImageDialog({
  file,
  guestSession,
  onClose,
}: {
  file: SharedFile;
  guestSession: GuestSession;
  onClose: () => void;
}) {
  const t = useTexts("share");
  return (
    <Modal opened onClose={onClose} size="xl" title={file.name} closeButtonProps={{ "aria-label": t("common.close") }}>
      {file.pictureUrl ? (
        <img className={classes.large} src={file.pictureUrl} alt={file.name} />
      ) : (
        <Text size="sm" c="dimmed">
          {t("share.visitor.preparing")}
        </Text>
      )}
      <WatermarkOverlay guestSession={guestSession} />
    </Modal>
  );
}
