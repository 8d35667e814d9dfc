import style from './App.module.css';
import { clinicLogo, clinicName, device, isOpen } from './device.ts';
import { Closed, Paired, Unpaired } from './Setup.tsx';
import { Visit } from './Visit.tsx';
import { words } from './words.ts';

const Body = () => {
  const { state } = device.value;
  if (state === 'unknown') return <main class={style.screen} aria-busy="true" />;
  if (state === 'unpaired') return <Unpaired />;
  if (state === 'new') return <Paired />;
  return isOpen.value === false ? <Closed /> : <Visit />;
};

/** The page of a tablet in the entrance: paired once by the clinic, then used by one patient after the other. */
export const App = () => {
  document.title = [words.value.title, clinicName.value].filter(Boolean).join(' · ');
  return (
    <>
      <header class={style.head}>
        {clinicLogo.value !== null && <img class={style.logo} src={clinicLogo.value} alt="" />}
        <p class={style.clinic}>{clinicName.value}</p>
      </header>
      <Body />
    </>
  );
};
