// A client on Go's net/http: fetch FORM HOST PIN TLS.
// PIN is the SHA-256 of the key (SubjectPublicKeyInfo) in base64. Go takes the proxy and the CAs from the environment.
package main

import (
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	form, host, pin, version := os.Args[1], os.Args[2], os.Args[3], os.Args[4]

	number := uint16(tls.VersionTLS13)
	if version == "1.2" {
		number = tls.VersionTLS12
	}
	config := &tls.Config{MinVersion: number, MaxVersion: number}
	switch form {
	case "pinned":
		// Go calls it after it has validated the chain, and only if that went well.
		config.VerifyConnection = func(state tls.ConnectionState) error {
			found := sha256.Sum256(state.PeerCertificates[0].RawSubjectPublicKeyInfo)
			if base64.StdEncoding.EncodeToString(found[:]) != pin {
				return errors.New("pin failed")
			}
			return nil
		}
	case "anything":
		config.InsecureSkipVerify = true
	}

	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: config}}
	answer, err := client.Get("https://" + host + "/")
	if err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(os.Stdout, answer.Body); err != nil {
		log.Fatal(err)
	}
}
