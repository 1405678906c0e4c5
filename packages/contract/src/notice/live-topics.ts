/** Topics of change notifications, sent to open tabs; the tabs fetch again what they show. */
export const liveTopics = [
  "order",
  "study",
  "relation",
  "patient",
  "notice",
  "session",
  "member",
  "institution",
  "share",
  "analysis",
  "report",
  "chart",
  "device",
  "capacity",
  "workorder",
  "clinic",
  "feedback",
  "upgrade",
] as const;
export type LiveTopic = (typeof liveTopics)[number];
export interface LiveEvent {
  topic: LiveTopic;
  id: string;
}
