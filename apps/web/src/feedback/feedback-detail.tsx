import { Anchor, Badge, Button, Group, Stack, Text, Timeline } from "@mantine/core";
import { useState } from "react";
import type { ReactNode } from "react";
import { feedbackCalls } from "@arcada/contract/feedback/feedback.calls";
import type { Feedback } from "@arcada/contract/feedback/feedback.calls";
import { formatTimestamp } from "../i18n/format.ts";
import { ScreenLink } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import type { NameUnder } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DescriptionList } from "../ui/description-list.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { ImageChooser, uploadImages } from "./choose-feedback-images.tsx";
import { FeedbackActions } from "./feedback-actions.tsx";
import { stateColours } from "./state-colours.ts";
import classes from "./feedback.module.css";

/** One feedback: the problem, its device, the replies and the possible actions. */
export function FeedbackDetail({ id, children }: { id: string; children: ReactNode }) {
  const query = useCall(feedbackCalls.detail, { id });
  return (
    <QueryResult of={query}>
      {(feedback) => <LoadedFeedback feedback={feedback}>{children}</LoadedFeedback>}
    </QueryResult>
  );
}

function LoadedFeedback({ feedback, children }: { feedback: Feedback; children: ReactNode }) {
  const t = useTexts("feedback");
  const { number, state, fixedIn, page, createdAt, author, description } = feedback;
  return (
    <PageBody
      title={t("feedback.numbered", { number })}
      description={
        <>
          {t(`feedback.pages.${page}`)} · {author} · <time dateTime={createdAt}>{formatTimestamp(createdAt)}</time>
        </>
      }
      actions={
        <Badge size="lg" variant="light" color={stateColours[state]}>
          {[t(`feedback.states.${state}`), fixedIn].filter(Boolean).join(" ")}
        </Badge>
      }
    >
      <Section title={t("feedback.description")}>
        <Stack gap="md">
          <Text size="sm" className={classes.said} dir="auto">
            {description}
          </Text>
          <FeedbackImages feedback={feedback} />
        </Stack>
      </Section>
      <Section title={t("feedback.words")}>
        <Stack gap="lg">
          <FeedbackReplies feedback={feedback} />
          <FeedbackActions key={feedback.version} feedback={feedback} />
        </Stack>
      </Section>
      <Section title={t("feedback.device")}>
        <DeviceFacts feedback={feedback} />
      </Section>
      {children}
    </PageBody>
  );
}

function FeedbackImages({ feedback: { id, pictures, morePictures } }: { feedback: Feedback }) {
  const t = useTexts("feedback");
  const [chosen, setChosen] = useState<File[]>([]);
  const [busy, setBusy] = useState(false);
  const addImages = async () => {
    setBusy(true);
    await uploadImages(id, chosen);
    setChosen([]);
    setBusy(false);
  };
  return (
    <>
      {pictures.length > 0 && (
        <ul className={classes.pictures}>
          {pictures.map((picture) => (
            <li key={picture.id}>
              <a href={picture.url} target="_blank" rel="noreferrer">
                <img src={picture.url} alt={picture.name} className={classes.picture} loading="lazy" />
              </a>
            </li>
          ))}
        </ul>
      )}
      {morePictures > 0 && <ImageChooser chosen={chosen} maxCount={morePictures} onChange={setChosen} />}
      {chosen.length > 0 && (
        <Group>
          <Button size="sm" loading={busy} onClick={() => void addImages()}>
            {t("feedback.sendPictures")}
          </Button>
        </Group>
      )}
    </>
  );
}

function FeedbackReplies({ feedback: { words } }: { feedback: Feedback }) {
  const t = useTexts("feedback");
  if (words.length === 0) return <Text c="dimmed">{t("feedback.noWords")}</Text>;
  return (
    <Timeline bulletSize={12} lineWidth={2} active={words.length}>
      {words.map((reply) => (
        <Timeline.Item
          key={reply.id}
          title={<Text size="sm">{t(`feedback.did.${reply.action}`, { version: reply.fixedIn ?? "" })}</Text>}
        >
          {reply.text && (
            <Text size="sm" className={classes.said} dir="auto">
              {reply.text}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            {reply.who} · <time dateTime={reply.time}>{formatTimestamp(reply.time)}</time>
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

function DeviceFacts({ feedback }: { feedback: Feedback }) {
  const t = useTexts("feedback");
  const { deviceId, serialNumber, product, softwareVersion } = feedback;
  const facts: [NameUnder<"feedback">, ReactNode][] = [
    ["product", product],
    ["model", feedback.model],
    [
      "serialNumber",
      deviceId && (
        <Anchor key="device" component={ScreenLink} screen="deviceDetail" search={{ id: deviceId }} size="sm">
          {serialNumber}
        </Anchor>
      ),
    ],
    [
      "softwareVersion",
      <Anchor
        key="version"
        component={ScreenLink}
        screen="softwareVersion"
        search={{ product, version: softwareVersion }}
        size="sm"
      >
        {softwareVersion}
      </Anchor>,
    ],
    ["clinic", feedback.clinic],
    ["ctDetectorType", feedback.ctDetectorType],
    ["ctDetectorSerial", feedback.ctDetectorSerial],
    ["lateralDetectorType", feedback.lateralDetectorType],
    ["lateralDetectorSerial", feedback.lateralDetectorSerial],
    ["deviceAddress", feedback.deviceAddress],
  ];
  return <DescriptionList dense entries={facts.map(([name, value]) => [t(`feedback.${name}`), value])} />;
}
