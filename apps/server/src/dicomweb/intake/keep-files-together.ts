import {
  discardFiles,
  isWithoutRoom,
  keepFiles,
  recordFiles,
  type IntakeSender,
  type ReceivedFile,
} from "./keep-received-files.ts";

interface WaitingFile {
  received: ReceivedFile;
  resolve: (settled: ReceivedFile) => void;
  reject: (error: unknown) => void;
}

const maxFilesOfTransaction = 32;

/** The files that wait for the transaction of an institution that is under way. */
const waitingByInstitution = new Map<string, WaitingFile[]>();

/**
 * Keeps one file as `keepFiles` does. Files that arrive for the same institution while a transaction records others share
 * the next one: several associations cost one commit, and a single one waits for nobody. All senders of an institution
 * must have the same user and origin.
 */
export function keepTogether(sender: IntakeSender, received: ReceivedFile): Promise<ReceivedFile> {
  return new Promise((resolve, reject) => {
    const one = { received, resolve, reject };
    const waiting = waitingByInstitution.get(sender.iid);
    if (waiting) waiting.push(one);
    else {
      waitingByInstitution.set(sender.iid, [one]);
      void keepWaiting(sender);
    }
  });
}

async function keepWaiting(sender: IntakeSender): Promise<void> {
  const waiting = waitingByInstitution.get(sender.iid)!;
  while (waiting.length > 0) {
    const some = waiting.splice(0, maxFilesOfTransaction);
    try {
      const answers = await keepSome(
        sender,
        some.map(({ received }) => received),
      );
      for (const [at, { resolve }] of some.entries()) resolve(answers[at]!);
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }
  waitingByInstitution.delete(sender.iid);
}

async function keepSome(sender: IntakeSender, received: readonly ReceivedFile[]): Promise<ReceivedFile[]> {
  if (received.length === 1) return keepFiles(sender, received, () => {});
  try {
    const { answers, kept } = await recordFiles(sender, received, () => {});
    // The files are kept, whatever happens to the bytes of others: the sweeper removes what nothing refers to.
    await discardFiles(received, kept).catch(() => {});
    return answers;
  } catch (error) {
    if (!isWithoutRoom(error)) throw error;
  }
  // Some of them may fit.
  const answers: ReceivedFile[] = [];
  for (const one of received) answers.push(...(await keepFiles(sender, [one], () => {})));
  return answers;
}
