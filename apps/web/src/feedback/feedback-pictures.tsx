import { Button, CloseButton, FileButton, Group, Stack, Text } from "@mantine/core";
import { IconCamera } from "@tabler/icons-react";
import { feedbackCalls } from "@arcada/contract/feedback/feedback.calls";
import { feedbackRules } from "@arcada/contract/feedback/feedback.rules";
import { send } from "../kernel/ask.ts";
import { changed } from "../kernel/changes.ts";
import { showBytes } from "../kernel/format.ts";
import { sendPieces } from "../kernel/send-pieces.ts";
import { show } from "../kernel/show.ts";
import { useTexts } from "../kernel/texts.ts";

interface Props {
  chosen: readonly File[];
  most: number;
  onChange: (files: File[]) => void;
}

/** Pictures to send; a phone offers its camera. */
export function ChoosePictures({ chosen, most, onChange }: Props) {
  const t = useTexts("feedback");
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <FileButton
          multiple
          accept="image/jpeg,image/png,image/webp"
          disabled={chosen.length >= most}
          onChange={(files) => onChange([...chosen, ...files.filter(isSmall)].slice(0, most))}
          inputProps={{ "aria-label": t("feedback.addPictures") }}
        >
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconCamera size={18} aria-hidden />}>
              {t("feedback.addPictures")}
            </Button>
          )}
        </FileButton>
        <Text size="xs" c="dimmed">
          {t("feedback.picturesText", { count: most, size: showBytes(feedbackRules.pictureBytes) })}
        </Text>
      </Group>
      {chosen.map((file, at) => (
        <Group key={`${file.name} ${file.lastModified} ${file.size}`} gap="xs" wrap="nowrap">
          <Text size="sm" truncate>
            {file.name}
          </Text>
          <Text size="xs" c="dimmed">
            {showBytes(file.size)}
          </Text>
          <CloseButton
            size="sm"
            aria-label={t("feedback.dropPicture", { name: file.name })}
            onClick={() => onChange(chosen.toSpliced(at, 1))}
          />
        </Group>
      ))}
    </Stack>
  );
}

const isSmall = ({ size }: File): boolean => size > 0 && size <= feedbackRules.pictureBytes;

/** Sends the pictures one after the other. A rejected one is reported and left out. */
export async function sendPictures(feedback: string, pictures: readonly File[]): Promise<void> {
  for (const picture of pictures) {
    try {
      const asked = { id: feedback, name: picture.name, bytes: picture.size };
      const { id } = await send(feedbackCalls.addPicture, asked);
      await sendPieces(picture, { path: `/feedbackPictures/${id}`, offset: 0, pieceBytes: feedbackRules.pieceBytes });
    } catch (error) {
      show(error);
    }
  }
  changed(feedbackCalls.addPicture);
}
