// Vite gives a file as text when it is imported this way.
declare module "*?raw" {
  const text: string;
  export default text;
}
