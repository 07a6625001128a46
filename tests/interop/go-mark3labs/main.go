// A small server on mcp-go, the community's Go package: it speaks both eras, and its handlers send requests.
package main

import (
	"context"
	"errors"
	"log"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

type city struct {
	Name       string `json:"name"`
	Population int    `json:"population"`
	River      string `json:"river,omitempty"`
}

type table struct {
	Cities []city `json:"cities"`
}

type citiesArgs struct {
	Limit int `json:"limit" jsonschema:"how many"`
}

var all = []city{
	{"Lisbon", 545796, "Tagus"},
	{"Madrid", 3223334, ""},
	{"Porto", 231800, "Douro"},
}

func cities(_ context.Context, _ mcp.CallToolRequest, args citiesArgs) (table, error) {
	if args.Limit < 1 || args.Limit > len(all) {
		return table{}, errors.New("the map is out of print")
	}
	return table{all[:args.Limit]}, nil
}

func travel(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	question := mcp.ElicitationRequest{Params: mcp.ElicitationParams{
		Message: "How many nights?",
		RequestedSchema: map[string]any{
			"type":       "object",
			"properties": map[string]any{"nights": map[string]any{"type": "integer", "default": 2}},
			"required":   []string{"nights"},
		},
	}}
	answer, err := server.ServerFromContext(ctx).RequestElicitation(ctx, question)
	if err != nil {
		return mcp.NewToolResultError(err.Error()), nil
	}
	if answer.Action != mcp.ElicitationResponseActionAccept {
		return mcp.NewToolResultText(string(answer.Action)), nil
	}
	return mcp.NewToolResultText(nights(answer.Content)), nil
}

func nights(content any) string {
	data, _ := content.(map[string]any)
	n, _ := data["nights"].(float64)
	return string(rune('0'+int(n))) + " nights"
}

func main() {
	s := server.NewMCPServer("mark3labs", "1.0.0", server.WithElicitation())
	s.AddTool(mcp.NewTool("cities", mcp.WithDescription("A table that keeps its promise"),
		mcp.WithInputSchema[citiesArgs](), mcp.WithOutputSchema[table]()), mcp.NewStructuredToolHandler(cities))
	s.AddTool(mcp.NewTool("travel", mcp.WithDescription("Asks how long")), travel)
	if err := server.ServeStdio(s); err != nil {
		log.Print(err)
	}
}
