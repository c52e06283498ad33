/**
 * Vendors whose keys have no shape of their own and are recognised by the vendor in the name. The first vendor found in
 * the name gives the rule's id; the value must still look random.
 */
export const VENDOR_NAMES: readonly string[] = `
  adafruit adobe adyen airtable alchemy algolia alibaba aliyun alphavantage amplitude anthropic apple appveyor
  artifactory asana assemblyai atlassian auth0 aws axiom azure beamer bigcommerce binance bintray bitbucket bitly
  bittrex box braintree bugsnag buildkite bybit cerebras chargebee circleci clearbit clerk clickup clojars
  cloudflare cloudinary cockroach codecov cohere coinbase confluence confluent consul contentful contribsys
  couchbase coveralls databento databricks datadog dd deepgram deepseek deno digitalocean discord docker dockerhub
  doppler drone droneci dropbox dynatrace ebay elastic elevenlabs etherscan etsy exa exoscale expo facebook fal
  fastly figma finicity finnhub firebase firecrawl fireworks flickr fly frameio freshbooks freshdesk fullstory gcp
  gemini gh giphy gitea github gitlab gitter gocardless google grafana groq harness hashicorp helicone heroku
  hetzner hmac honeycomb hubspot huggingface imgur infisical infracost infura instagram intercom intra42 jfrog jina
  jira jumpcloud jwt kibana klarna klaviyo kraken kucoin langfuse langsmith launchdarkly linear linkedin linode lob
  logdna loggly logtail looker mailchimp mailgun mailjet mandrill mapbox maps marketo mattermost maxmind meilisearch
  meraki messagebird mistral mixpanel modal monday mongodb moonshot neon netlify newrelic newsapi nexmo ngrok nomad
  notion npm nuget nvidia nytimes octopus okta onelogin onesignal openai openrouter openweather opsgenie optimizely
  ovh paddle pagerduty pagertree paypal paystack perplexity pinecone plaid planetscale plivo polygon portkey posthog
  postman postmark prefect privateai pulumi pusher pushover pypi qdrant quay railway rapidapi razorpay readme
  recaptcha render replicate resend roboflow rollbar rubygems runpod salesforce sanity sauce scaleway scalingo
  segment sendbird sendgrid sendinblue sentry serpapi serper settlemint shippo shodan shopify sidekiq signalwire
  slack snowflake snyk sonar sonarcloud sonarqube sourcegraph sparkpost splunk spotify square squarespace stability
  statuspage stripe sumo sumologic supabase tailscale tavily teamcity telegram tencent terraform tf tiktok tmdb
  together travis trello turso twilio twitch twitter typeform typesense unsplash upcloud upstash vault vercel
  virustotal vonage voyage vultr wakatime wandb weaviate wistia woocommerce workos xai xray yandex yelp youtube
  zapier zendesk zoho zoom
`
  .trim()
  .split(/\s+/);

/** Vendors with names of two words, which are joined before the lookup. */
export const SPLIT_VENDORS =
  /(?:new_?relic|message_?bird|linked_?in|private_?ai|new_?york_?times|launch_?darkly|hugging_?face|pager_?duty|send_?grid|sumo_?logic|sauce_?labs|cloud_?flare|digital_?ocean)/;
