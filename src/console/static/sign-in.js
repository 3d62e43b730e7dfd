// The token of a sign-in link is after the number sign, so no log has it: it goes into the form, and out of the address.
const token = new URLSearchParams(location.hash.slice(1)).get('t');
const form = document.getElementById('link');
if (token !== null && form instanceof HTMLFormElement) {
  history.replaceState(null, '', location.pathname + location.search);
  const field = form.elements.namedItem('token');
  if (field instanceof HTMLInputElement) field.value = token;
  form.requestSubmit();
}
