import { Button, Group, Modal, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { IconDownload, IconLogout } from "@tabler/icons-react";
import { useState } from "react";
import { sharedOrderCalls, type SharedFile, type SharedOrder as Order } from "@arcada/contract/order/shared.calls";
import { shareCalls } from "@arcada/contract/share/share.calls";
import { showTimeWithZone } from "../kernel/format.ts";
import { useTexts } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { useCommand } from "../kernel/use-command.ts";
import { PrescriptionView } from "../order/detail/prescription-view.tsx";
import { Watermark } from "../share/watermark.tsx";
import { Answer } from "../ui/answer.tsx";
import { BusyState } from "../ui/busy-state.tsx";
import { Logo } from "../ui/logo.tsx";
import { Section } from "../ui/page.tsx";
import { ModelScene } from "../viewer/model/model-scene.tsx";
import classes from "./shared-order.module.css";
import { sharedSets, type SharedSet } from "./shared-sets.ts";
import { SharedStudy, type Visit } from "./shared-study.tsx";

const readyMs = 3000;

/** The order that a link shows: prescription, models, and the included images and revisions. */
export function SharedOrder({ visit, onLeave }: { visit: Visit; onLeave: () => void }) {
  const [opened, setOpened] = useState<SharedFile | null>(null);
  const [isReady, setReady] = useState(false);
  const query = useCall(sharedOrderCalls.order, { id: visit.thingId }, isReady ? {} : { every: readyMs });
  // Streaming copies are made at the first request.
  if (!isReady && query.data?.files.every(({ format, glb }) => format === null || glb)) setReady(true);
  if (opened?.studyId)
    return (
      <SharedStudy
        visit={visit}
        studyId={opened.studyId}
        first={opened.id === opened.studyId ? undefined : opened.id}
        onLeave={onLeave}
        onBack={() => setOpened(null)}
      />
    );
  return (
    <Answer of={query} waiting={<BusyState />}>
      {(order) => (
        <>
          <Head order={order} visit={visit} onLeave={onLeave} />
          <main className={classes.page}>
            <Stack gap="lg">
              <PrescriptionView order={order} />
              <Models
                order={order}
                renew={async (id) => {
                  const fresh = (await query.refetch()).data?.files.find((file) => file.id === id);
                  return fresh?.glb ? { url: "", glb: fresh.glb } : null;
                }}
              />
              <Revisions order={order} />
              <Pictures order={order} onOpen={setOpened} />
            </Stack>
          </main>
          <Over visit={visit} />
          {opened && <Picture file={opened} visit={visit} onClose={() => setOpened(null)} />}
        </>
      )}
    </Answer>
  );
}

function Over({ visit }: { visit: Visit }) {
  const t = useTexts("share");
  return (
    <div className={classes.over} aria-hidden>
      <Watermark text={`${t("share.visitor.watermark", { label: visit.label })} · ${visit.institution}`} />
    </div>
  );
}

function Head({ order, visit, onLeave }: { order: Order; visit: Visit; onLeave: () => void }) {
  const t = useTexts("share");
  const download = useCommand(sharedOrderCalls.orderDownload);
  const leave = useCommand(shareCalls.leave);
  const take = async () => {
    const done = await download.run({ id: order.id });
    if (done) location.assign(done.data.url);
  };
  const whose = visit.nameless ? t("share.nameless") : order.patientName;
  return (
    <header className={classes.head}>
      <Logo bare />
      <div className={classes.what}>
        <Title order={1} size="h3">
          {t("share.order", { number: order.number })} · {whose}
        </Title>
        <Text size="sm" c="dimmed">
          {visit.institution} · {t("share.visitor.until", { time: showTimeWithZone(visit.until) })}
        </Text>
      </div>
      <Group gap="sm">
        {visit.mayDownload && order.files.length > 0 && (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={download.busy}
            onClick={() => void take()}
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
  renew: (id: string) => Promise<Pick<SharedSet["models"][number], "url" | "glb"> | null>;
}
function Models({ order, renew }: ModelsProps) {
  const t = useTexts("share", "order");
  const [shown, setShown] = useState<string | null>(null);
  const sets = sharedSets(order, t);
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

function Revisions({ order: { revisions } }: { order: Order }) {
  const t = useTexts("order");
  const said = revisions.filter(({ text }) => text);
  if (said.length === 0) return null;
  return (
    <Section title={t("order.detail.revisions")}>
      <Stack gap="md">
        {said.map(({ id, kind, number, state, text }) => (
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

function Pictures({ order, onOpen }: { order: Order; onOpen: (file: SharedFile) => void }) {
  const t = useTexts("share", "order");
  const pictures = order.files.filter(({ format }) => format === null);
  if (pictures.length === 0) return null;
  return (
    <Section title={t("share.visitor.pictures")}>
      <ul className={classes.pictures}>
        {pictures.map((file) => (
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
function Picture({ file, visit, onClose }: { file: SharedFile; visit: Visit; onClose: () => void }) {
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
      <Over visit={visit} />
    </Modal>
  );
}
