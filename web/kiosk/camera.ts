/** The longer side of the picture that is searched, in pixels: enough for a code that fills a quarter of it. */
const searchedPx = 640;
const everyMs = 250;

type Read = (video: HTMLVideoElement) => Promise<string | null>;

interface Detector {
  detect: (source: HTMLVideoElement) => Promise<readonly { rawValue: string }[]>;
}
type DetectorKind = (new (options: {
  formats: string[];
}) => Detector) & {
  getSupportedFormats: () => Promise<string[]>;
};

const ofBrowser = async (): Promise<Read | null> => {
  const Kind = (globalThis as { BarcodeDetector?: DetectorKind }).BarcodeDetector;
  if (Kind === undefined || !(await Kind.getSupportedFormats()).includes('qr_code')) return null;
  const detector = new Kind({ formats: ['qr_code'] });
  return async (video) => (await detector.detect(video))[0]?.rawValue ?? null;
};

const ofLibrary = async (): Promise<Read> => {
  const { decodeQR } = await import('qr/decode.js');
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return async (video) => {
    const { videoWidth, videoHeight } = video;
    const scale = Math.min(1, searchedPx / Math.max(videoWidth, videoHeight));
    canvas.width = Math.round(videoWidth * scale);
    canvas.height = Math.round(videoHeight * scale);
    if (context === null || canvas.width === 0) return null;
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    try {
      return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height));
    } catch {
      // No code is in the picture.
      return null;
    }
  };
};

let reader: Promise<Read> | undefined;

/** The browser's own reader of QR codes, or one that is loaded where it has none. */
const findReader = (): Promise<Read> => {
  reader ??= ofBrowser()
    .catch(() => null)
    .then((own) => own ?? ofLibrary());
  // After a failure it is loaded anew.
  reader.catch(() => (reader = undefined));
  return reader;
};

/**
 * Shows the camera in `video` and calls `onText` with each QR code in sight; the function that it gives stops both. The
 * camera of the screen's side comes first: people hold their phones before it.
 */
export const watch = async (
  video: HTMLVideoElement,
  onText: (text: string) => void,
  isOver: () => boolean,
): Promise<() => void> => {
  const [stream, read] = await Promise.all([
    navigator.mediaDevices.getUserMedia({ video: { facingMode: 'user', width: { ideal: 1280 } } }),
    findReader(),
  ]);
  const stop = (): void => {
    clearTimeout(timer);
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = async (): Promise<void> => {
    const text = await read(video).catch(() => null);
    if (isOver()) return;
    if (text !== null) onText(text);
    if (!isOver()) timer = setTimeout(() => void look(), everyMs);
  };
  if (isOver()) stop();
  else {
    video.srcObject = stream;
    await video.play().catch(() => {});
    void look();
  }
  return stop;
};
