/** Percent-encoded where key or secret have other characters than letters and digits, as in every URL. */
export const BUCKET_URL = 's3://KEY:SECRET@HOST:PORT/BUCKET?region=us-east-1'

/** `text`: `s3://KEY:SECRET@HOST[:PORT]/BUCKET[/FOLDER][?region=...][&tls=off]`. null: it is not one. */
export const readBucketUrl = (text: string) => {
  const url = URL.parse(text)
  const [, bucket = '', ...folders] = url?.pathname.split('/') ?? []
  if (url?.protocol !== 's3:' || bucket === '' || url.username === '' || url.password === '')
    return null
  const folder = folders.filter(Boolean).join('/')
  return {
    key: decodeURIComponent(url.username),
    secret: decodeURIComponent(url.password),
    endpoint: `${url.searchParams.get('tls') === 'off' ? 'http' : 'https'}://${url.host}/${bucket}`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    folder,
    title: `s3://${url.host}/${[bucket, folder].filter(Boolean).join('/')}`,
  }
}
