import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import style from './App.module.css';
import { watch } from './camera.ts';
import { words } from './words.ts';

/** The camera's picture; calls `onText` with each QR code in sight. */
export const Camera = ({ onText, onLost }: { onText: (text: string) => void; onLost: () => void }) => {
  const video = useRef<HTMLVideoElement>(null);
  const isOn = useSignal(false);
  const latest = useRef(onText);
  latest.current = onText;
  useEffect(() => {
    let isOver = false;
    let stop = (): void => {};
    const box = video.current;
    if (box === null) return;
    // Without https there is no camera at all.
    const watching =
      navigator.mediaDevices === undefined
        ? Promise.reject(new Error('No camera.'))
        : watch(
            box,
            (text) => latest.current(text),
            () => isOver,
          );
    watching.then(
      (end) => {
        stop = end;
        isOn.value = true;
        if (isOver) end();
      },
      () => !isOver && onLost(),
    );
    return () => {
      isOver = true;
      stop();
    };
  }, []);
  return (
    <div class={style.camera}>
      <video ref={video} class={style.video} aria-label={words.value.camera} muted playsInline />
      {!isOn.value && <p class={style.starting}>{words.value.cameraOff}</p>}
    </div>
  );
};
