/** A file as text, by Vite. */
declare module '*?raw' {
  const text: string;
  export default text;
}
